-- name: AddToPageCount :exec
INSERT INTO page_counts (scope, tier, block, n) VALUES ($1, $2, $3, $4)
ON CONFLICT (scope, tier, block) DO UPDATE SET n = page_counts.n + excluded.n;

-- name: AddToFigure :exec
INSERT INTO page_counts (scope, tier, block, n, total) VALUES (sqlc.arg(scope), 0, sqlc.arg(block), sqlc.arg(n), sqlc.arg(total))
ON CONFLICT (scope, tier, block) DO UPDATE SET n = page_counts.n + excluded.n, total = page_counts.total + excluded.total;

-- name: DropPageCounts :exec
DELETE FROM page_counts WHERE scope = $1;

-- name: DropPageDeltas :exec
DELETE FROM page_deltas WHERE scope = $1;
