package dev.belay.jackson;

import java.math.BigInteger;

/** The one spelling of a number's exact value. */
final class CanonicalNumber {

    private CanonicalNumber() {}

    /**
     * Its significant digits and, where it is not 0, a power of ten: {@code -1205e-1} for {@code -120.50}. No arithmetic on
     * the digits: neither length nor exponent costs more than the text is long.
     *
     * @param number as JSON spells it
     */
    static String of(String number) {
        var negative = number.charAt(0) == '-';
        var e = indexOfExponent(number);
        var point = number.indexOf('.');
        var whole = number.substring(negative ? 1 : 0, point < 0 ? e : point);
        var fraction = point < 0 ? "" : number.substring(point + 1, e);
        var digits = whole + fraction;
        var from = 0;
        while (from < digits.length() && digits.charAt(from) == '0') {
            from++;
        }
        if (from == digits.length()) {
            return "0";
        }
        var to = digits.length();
        while (digits.charAt(to - 1) == '0') {
            to--;
        }
        var shift = BigInteger.valueOf((long) digits.length() - to - fraction.length());
        var exponent = e == number.length() ? shift : shift.add(new BigInteger(number.substring(e + 1)));
        return (negative ? "-" : "") + digits.substring(from, to) + (exponent.signum() == 0 ? "" : "e" + exponent);
    }

    private static int indexOfExponent(String number) {
        for (var i = 0; i < number.length(); i++) {
            if (number.charAt(i) == 'e' || number.charAt(i) == 'E') {
                return i;
            }
        }
        return number.length();
    }
}
