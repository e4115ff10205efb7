package dev.belay.sql.view;

/**
 * How a database names the tables that a query of jobs reads, and says how they are to be read. In each, {@code job} and
 * {@code j} are names for the table of jobs.
 *
 * @param jobs the table of jobs
 * @param jobsByAge the same, to be read by number
 * @param jobsById the same as {@code j}, to be read by id
 * @param more the table of what only some jobs have
 * @param moreByKey the same, to be read by key
 * @param places the table of places
 * @param flights the table of jobs in flight
 * @param tag a condition on the column {@code tags}, with the parameter {@code :tag}; false where it is no JSON
 */
public record FilterSql(
        String jobs,
        String jobsByAge,
        String jobsById,
        String more,
        String moreByKey,
        String places,
        String flights,
        String tag) {}
