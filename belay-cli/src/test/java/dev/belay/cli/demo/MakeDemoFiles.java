package dev.belay.cli.demo;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RadialGradientPaint;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.imageio.ImageIO;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the files that the demo ships with: the orders and the pictures. Run it by hand after a change, with the folder
 * of the demo's resources as its argument; the same seed gives the same files.
 */
final class MakeDemoFiles {

    private static final int ORDERS = 300;
    private static final int DECLINED = 17;
    private static final int UNREADABLE = 29;

    /** Given name and family name as their owners write them, town, and a word of thanks. */
    private static final String[][] PEOPLE = {
        {"Zoë Brontë", "Düsseldorf", "Vielen Dank für die schnelle Lieferung – schöne Grüße!"},
        {"Łukasz Żółć", "Łódź", "Zażółć gęślą jaźń"},
        {"Siobhán Ó Dálaigh", "Dún Laoghaire", "Go raibh míle maith agaibh"},
        {"Þórður Ægisson", "Ísafjörður", "Kærar þakkir"},
        {"Nguyễn Thị Ánh Tuyết", "Huế", "Cảm ơn cửa hàng rất nhiều"},
        {"Søren Kjærgård", "Ærøskøbing", "Tak for handlen – på gensyn"},
        {"Ștefan Țurcanu", "Târgu Mureș", "Mulțumesc frumos"},
        {"Gülşah Işık", "İzmir", "Çok teşekkür ederim"},
        {"José Ñáñez Güiraldes", "Logroño", "¿Puede llegar antes del lunes?"},
        {"Jiří Dvořák", "Plzeň", "Příliš žluťoučký kůň"},
        {"Анна Каренина", "Пермь", "Спасибо, всё пришло вовремя"},
        {"Їжакевич Олена", "Київ", "Дуже дякую за ґречність"},
        {"Ђорђе Љубичић", "Ниш", "Хвала лепо"},
        {"Ελένη Παπαδοπούλου", "Θεσσαλονίκη", "Ευχαριστώ πολύ για την εξυπηρέτηση"},
        {"Άρης Καραΐσκος", "Ηράκλειο", "Καλή συνέχεια!"},
        {"محمد عبد الرحمن", "الإسكندرية", "شكرًا جزيلًا، وصل الطلب ١٢٣ اليوم"},
        {"فاطمة الزهراء", "مراكش", "من فضلكم: التسليم بعد الساعة ٥"},
        {"شیرین رضایی", "اصفهان", "خیلی ممنون از شما"},
        {"שירה כהן", "חיפה", "תודה רבה על ההזמנה 42"},
        {"נועם בן־דוד", "תל אביב־יפו", "שָׁלוֹם וּבְרָכָה"},
        {"आदित्य श्रीवास्तव", "वाराणसी", "बहुत बहुत धन्यवाद"},
        {"মৌসুমী চট্টোপাধ্যায়", "কলকাতা", "অনেক ধন্যবাদ"},
        {"தமிழ்ச்செல்வி", "மதுரை", "மிக்க நன்றி"},
        {"สมชาย ใจดี", "เชียงใหม่", "ขอบคุณมากครับ น้ำใจงามจริง ๆ"},
        {"王秀英", "西安", "谢谢，包装很好"},
        {"陳大文", "臺北", "請放在管理室，謝謝"},
        {"𠮷田 花子", "京都", "ありがとうございます。髙島屋の前です"},
        {"さくら 山本", "札幌", "プレゼント用に包んでください"},
        {"김민준", "부산", "감사합니다. 문 앞에 놓아 주세요"},
        {"박서연", "전주", "잘 받았습니다"},
        {"გიორგი ბერიძე", "თბილისი", "დიდი მადლობა"},
        {"Արամ Խաչատրյան", "Երևան", "Շնորհակալություն"},
        {"አበበ ቢቂላ", "አዲስ አበባ", "በጣም አመሰግናለሁ"},
        {"Ann O'Neil-Smith", "St. John's", "It's a gift 🎁 – please don't ring, baby 👶🏽 asleep"},
        {"Zoe\u0308 Combining", "Mu\u0308nchen", "e\u0301 a\u030A o\u0308 n\u0303 – the marks stand alone"},
        {"🦊 Fox & Sons", "Øvre <Årdal>", "👩‍👩‍👧‍👦 says \"thanks\"; 100 % \\ happy"},
        {"Max Mustermann", "Musterstadt", "x\u2028y – a line separator, and\ttab"},
        {"Ðặng Văn Lâm", "Đà Nẵng", "Z\u0351\u036B\u0343\u036A\u0302a\u0363\u0368l\u0357\u0364g\u0348\u034Do"},
        {"علي (Ali) חיים", "القدس ירושלים", "abc עברית العربية 123 xyz"},
        {"Ἀχιλλεύς Πηλεΐδης", "Φθία", "μῆνιν ἄειδε θεά"},
    };

    private static final String[] GOODS = {
        "Teapot",
        "Schlüsselanhänger",
        "Kırmızı kazak",
        "Чайник",
        "Ελιές",
        "شاي",
        "ספר",
        "चाय",
        "ชามะลิ",
        "茶壺",
        "お茶碗",
        "한복 인형",
        "Crème brûlée torch",
        "🧦 socks",
        "Ajvar",
        "Świeca"
    };

    private static final List<String> PICTURES =
            List.of("sunrise.jpg", "rings.jpg", "tower.jpg", "stripes.png", "dots.png", "glass.png");

    private MakeDemoFiles() {}

    public static void main(String[] args) throws IOException {
        var folder = Path.of(args[0]);
        Files.createDirectories(folder.resolve("pictures"));
        orders(folder.resolve("orders.jsonl"));
        pictures(folder.resolve("pictures"));
    }

    private static void orders(Path file) throws IOException {
        var random = new Random(20_26);
        var mapper = JsonMapper.builder().build();
        var lines = new ArrayList<String>();
        for (var i = 1; i <= ORDERS; i++) {
            var person = PEOPLE[i % PEOPLE.length];
            var goods = new ArrayList<String>();
            for (var n = 1 + random.nextInt(3); n > 0; n--) {
                goods.add(GOODS[random.nextInt(GOODS.length)]);
            }
            var order = new java.util.LinkedHashMap<String, Object>();
            order.put("order", "A" + (1000 + i));
            var customer = new java.util.LinkedHashMap<String, Object>();
            customer.put("id", String.format("c-%04d", i));
            customer.put("name", person[0]);
            customer.put("email", String.format("customer-%04d@shop.example", i));
            customer.put("town", person[1]);
            order.put("customer", customer);
            order.put("goods", goods);
            order.put("cents", 500 + random.nextInt(20_000));
            order.put("currency", List.of("EUR", "CHF", "PLN", "JPY", "INR").get(random.nextInt(5)));
            order.put("card", i == DECLINED ? "card-declined" : String.format("card-%04d", i));
            order.put("note", person[2]);
            if (i == UNREADABLE) {
                order.put("pictureFromNewerShop", Map.of("store", "sprites", "frame", 7));
            } else {
                order.put("picture", PICTURES.get(random.nextInt(PICTURES.size())));
            }
            lines.add(mapper.writeValueAsString(order));
        }
        Files.write(file, lines, StandardCharsets.UTF_8);
    }

    private static void pictures(Path folder) throws IOException {
        save(folder, "sunrise.jpg", 640, 480, g -> {
            g.setPaint(new GradientPaint(0, 0, new Color(0x1B2A5C), 0, 480, new Color(0xF7A45B)));
            g.fillRect(0, 0, 640, 480);
            g.setPaint(new RadialGradientPaint(
                    320, 400, 220, new float[] {0, 1}, new Color[] {new Color(0xFFF3B0), new Color(0xF7A45B)}));
            g.fill(new Ellipse2D.Double(180, 260, 280, 280));
        });
        save(folder, "rings.jpg", 640, 480, g -> {
            g.setColor(new Color(0xF4F1EA));
            g.fillRect(0, 0, 640, 480);
            for (var i = 0; i < 12; i++) {
                g.setColor(Color.getHSBColor(i / 12f, 0.55f, 0.85f));
                g.setStroke(new BasicStroke(9));
                g.draw(new Ellipse2D.Double(320 - 18 * i, 240 - 18 * i, 36 * i, 36 * i));
            }
        });
        save(folder, "tower.jpg", 480, 640, g -> {
            g.setPaint(new GradientPaint(0, 0, new Color(0xBFE3F2), 0, 640, Color.WHITE));
            g.fillRect(0, 0, 480, 640);
            g.setColor(new Color(0x5A3E36));
            for (var i = 0; i < 9; i++) {
                g.fill(new Rectangle2D.Double(110 + 13 * i, 590 - 62 * i, 260 - 26 * i, 50));
            }
        });
        save(folder, "stripes.png", 640, 480, g -> {
            for (var i = 0; i < 16; i++) {
                g.setColor(Color.getHSBColor(i / 16f, 0.4f, 0.95f));
                g.fillRect(40 * i, 0, 40, 480);
            }
        });
        save(folder, "dots.png", 640, 480, g -> {
            g.setColor(new Color(0x22313F));
            g.fillRect(0, 0, 640, 480);
            for (var i = 0; i < 48; i++) {
                g.setColor(Color.getHSBColor(i / 48f, 0.7f, 1f));
                g.fill(new Ellipse2D.Double(25 + 80 * (i % 8), 20 + 78 * (i / 8), 42, 42));
            }
        });
        save(folder, "glass.png", 640, 480, g -> {
            g.setColor(new Color(0x66, 0xA6, 0xD9, 0x80));
            g.fill(new Ellipse2D.Double(60, 60, 360, 360));
            g.setColor(new Color(0xD9, 0x66, 0x8A, 0x80));
            g.fill(new Ellipse2D.Double(220, 60, 360, 360));
        });
    }

    private interface Painter {
        void paint(Graphics2D graphics);
    }

    private static void save(Path folder, String name, int width, int height, Painter painter) throws IOException {
        var jpeg = name.endsWith(".jpg");
        var image = new BufferedImage(width, height, jpeg ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB);
        var graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        painter.paint(graphics);
        graphics.dispose();
        ImageIO.write(image, jpeg ? "jpg" : "png", folder.resolve(name).toFile());
    }
}
