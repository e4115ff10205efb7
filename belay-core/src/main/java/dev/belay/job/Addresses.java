package dev.belay.job;

import java.util.regex.Pattern;

/** Addresses of stores, as they may be shown. */
public final class Addresses {

    private static final Pattern USER = Pattern.compile("//[^@/?#]*@");
    private static final Pattern SECRET =
            Pattern.compile("([?&;](?:password|pass|pwd|secret|token|sslpassword)=)[^&;]*", Pattern.CASE_INSENSITIVE);

    private Addresses() {}

    /** The same without what only its owner should know: a user with a password, secrets among its parameters. */
    public static String withoutSecrets(String address) {
        return SECRET.matcher(USER.matcher(address).replaceAll("//***@")).replaceAll("$1***");
    }
}
