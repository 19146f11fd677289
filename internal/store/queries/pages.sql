-- name: BigPageCounts :many
-- How many rows lie in each 65,536 positions of up to three scopes, read as one.
SELECT u.block, CAST(SUM(u.n) AS BIGINT) AS n FROM (
    SELECT c.block, c.n FROM page_counts c
    WHERE c.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT)) AND c.tier = 1
    UNION ALL
    SELECT d.block / 256, d.n FROM page_deltas d
    WHERE d.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT))
) u GROUP BY u.block ORDER BY u.block;

-- name: SmallPageCounts :many
-- The same for each 256 positions of one of those.
SELECT u.block, CAST(SUM(u.n) AS BIGINT) AS n FROM (
    SELECT c.block, c.n FROM page_counts c
    WHERE c.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT)) AND c.tier = 0
        AND c.block >= CAST(sqlc.arg(big) AS BIGINT) * 256 AND c.block < CAST(sqlc.arg(big) AS BIGINT) * 256 + 256
    UNION ALL
    SELECT d.block, d.n FROM page_deltas d
    WHERE d.scope IN (CAST(sqlc.arg(scope1) AS TEXT), CAST(sqlc.arg(scope2) AS TEXT), CAST(sqlc.arg(scope3) AS TEXT))
        AND d.block >= CAST(sqlc.arg(big) AS BIGINT) * 256 AND d.block < CAST(sqlc.arg(big) AS BIGINT) * 256 + 256
) u GROUP BY u.block ORDER BY u.block;

-- name: AddToPageCount :exec
INSERT INTO page_counts (scope, tier, block, n) VALUES ($1, $2, $3, $4)
ON CONFLICT (scope, tier, block) DO UPDATE SET n = page_counts.n + excluded.n;

-- name: DropPageCounts :exec
DELETE FROM page_counts WHERE scope = $1;

-- name: DropPageDeltas :exec
DELETE FROM page_deltas WHERE scope = $1;
