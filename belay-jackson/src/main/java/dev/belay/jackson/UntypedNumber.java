package dev.belay.jackson;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Reads a number where no type says which one it is: whole numbers as {@code Long}, whatever their size (a {@code long}
 * stays one), others as {@code Double}; what is too large for these as {@code BigInteger} and {@code BigDecimal}.
 */
final class UntypedNumber extends ValueDeserializer<Number> {

    @Override
    public Number deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                    ? parser.getBigIntegerValue()
                    : parser.getLongValue();
        }
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
            var value = parser.getDoubleValue();
            return Double.isFinite(value) ? value : parser.getDecimalValue();
        }
        return (Number) context.handleUnexpectedToken(Number.class, parser);
    }
}
