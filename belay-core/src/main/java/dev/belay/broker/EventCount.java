package dev.belay.broker;

/** How often something was counted. */
public record EventCount(String queue, String type, Event event, long count) {}
