-- name: LocatePage :one
-- Where the page that starts after `skip` rows begins: the block, and how many
-- of the block's rows to pass. direction is 1 for oldest first, -1 for newest
-- first. Up to three scopes are read as one. block is -1 past the end.
WITH counts AS (
    SELECT c.tier, c.block, c.n FROM page_counts c
    WHERE c.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT)) AND c.tier = 1
    UNION ALL
    SELECT 1, d.block / 256, d.n FROM page_deltas d
    WHERE d.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT))
), big AS (
    SELECT counts.block, SUM(counts.n) AS n FROM counts GROUP BY counts.block
), big_before AS (
    SELECT big.block, big.n,
        SUM(big.n) OVER (ORDER BY big.block * CAST(sqlc.arg(direction) AS BIGINT)) - big.n AS passed
    FROM big
), big_hit AS (
    SELECT b.block, b.passed FROM big_before b
    WHERE b.passed <= CAST(sqlc.arg(skip) AS BIGINT) AND b.passed + b.n > CAST(sqlc.arg(skip) AS BIGINT)
), small AS (
    SELECT u.block, SUM(u.n) AS n FROM (
        SELECT c.block, c.n FROM page_counts c
        WHERE c.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT)) AND c.tier = 0
            AND c.block >= (SELECT h.block * 256 FROM big_hit h) AND c.block < (SELECT h.block * 256 + 256 FROM big_hit h)
        UNION ALL
        SELECT d.block, d.n FROM page_deltas d
        WHERE d.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT))
            AND d.block >= (SELECT h.block * 256 FROM big_hit h) AND d.block < (SELECT h.block * 256 + 256 FROM big_hit h)
    ) u GROUP BY u.block
), small_before AS (
    SELECT small.block, small.n,
        (SELECT h.passed FROM big_hit h)
            + SUM(small.n) OVER (ORDER BY small.block * CAST(sqlc.arg(direction) AS BIGINT)) - small.n AS passed
    FROM small
), hit AS (
    SELECT s.block, s.passed FROM small_before s
    WHERE s.passed <= CAST(sqlc.arg(skip) AS BIGINT) AND s.passed + s.n > CAST(sqlc.arg(skip) AS BIGINT)
)
SELECT
    CAST(COALESCE((SELECT SUM(big.n) FROM big), 0) AS BIGINT) AS total,
    CAST(COALESCE((SELECT hit.block FROM hit), -1) AS BIGINT) AS block,
    CAST(COALESCE((SELECT CAST(sqlc.arg(skip) AS BIGINT) - hit.passed FROM hit), 0) AS BIGINT) AS within;

-- name: AddToPageCount :exec
INSERT INTO page_counts (scope, tier, block, n) VALUES ($1, $2, $3, $4)
ON CONFLICT (scope, tier, block) DO UPDATE SET n = page_counts.n + excluded.n;

-- name: AddPageDelta :exec
INSERT INTO page_deltas (scope, block, n) VALUES ($1, $2, $3);

-- name: TakePageDeltas :many
DELETE FROM page_deltas WHERE id IN (SELECT d.id FROM page_deltas d ORDER BY d.id LIMIT 5000)
RETURNING scope, block, n;

-- name: DropPageCounts :exec
DELETE FROM page_counts WHERE scope = $1;

-- name: DropPageDeltas :exec
DELETE FROM page_deltas WHERE scope = $1;
