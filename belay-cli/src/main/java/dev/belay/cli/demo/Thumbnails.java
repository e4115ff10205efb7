package dev.belay.cli.demo;

import dev.belay.cli.demo.ShopJobs.Picture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.imageio.ImageIO;

/** Makes thumbnails of pictures: at most 160×120, in the picture's own shape. */
final class Thumbnails {

    static final int WIDTH = 160;
    static final int HEIGHT = 120;

    private final Path pictures;
    private final Path thumbnails;

    Thumbnails(Path folder) {
        pictures = pictures(folder);
        thumbnails = thumbnails(folder);
    }

    static Path pictures(Path folder) {
        return folder.resolve("pictures");
    }

    static Path thumbnails(Path folder) {
        return folder.resolve("thumbnails");
    }

    /** Where the thumbnail of an order is. */
    static Path thumbnail(Path folder, String order) {
        return thumbnails(folder).resolve(order + ".png");
    }

    /** Writes beside and moves into place: whoever is killed in between leaves no half picture, whoever comes twice no mess. */
    void make(Picture picture) throws IOException {
        Files.createDirectories(thumbnails);
        var half = Files.createTempFile(thumbnails, picture.order(), ".half");
        var image = net.coobird.thumbnailator.Thumbnails.of(
                        pictures.resolve(picture.file()).toFile())
                .size(WIDTH, HEIGHT)
                .asBufferedImage();
        if (!ImageIO.write(image, "png", half.toFile())) {
            throw new IOException("no writer for PNG in this Java");
        }
        Files.move(
                half,
                thumbnails.resolve(picture.order() + ".png"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
