-- name: InsertReviewAssignment :exec
INSERT INTO review_assignments (id, circle_id, listed) VALUES ($1, $2, FALSE) ON CONFLICT (id) DO NOTHING;

-- name: ListReviewAssignment :many
-- Lists an assignment with an open submission, whose submitters may be too few, and takes off the list one without any.
UPDATE review_assignments SET listed = NOT listed, short_at = CASE WHEN listed THEN short_at ELSE 0 END
WHERE review_assignments.id = $1 AND listed <> EXISTS (SELECT 1 FROM review_queue q WHERE q.assignment_id = $1)
RETURNING seq, circle_id, listed;

-- name: NumberQueued :one
-- The number of a submission that enters the queue.
UPDATE review_assignments SET entered = entered + 1, changed = TRUE WHERE id = $1 RETURNING entered;

-- name: ChangedQueues :many
SELECT id FROM review_assignments WHERE changed ORDER BY seq LIMIT 100 OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: ClaimChangedQueue :many
UPDATE review_assignments SET changed = FALSE WHERE id = $1 AND changed RETURNING entered;

-- name: QueuedWorks :many
-- What of an assignment can be reviewed, in the order in which it entered the queue.
SELECT id, COALESCE(submitter_id, '') AS submitter, entered FROM review_queue WHERE assignment_id = $1 AND filled < most ORDER BY entered, seq;

-- name: TurnsOfQueued :many
SELECT t.reviewer_id, t.id FROM review_queue q JOIN review_turns t ON t.id = q.id WHERE q.assignment_id = $1;

-- name: RequestsOfReviewers :many
-- The requests to those who gave a review for an assignment.
SELECT t.user_id, t.seen FROM review_requests t
WHERE t.assignment_id = $1 AND EXISTS (SELECT 1 FROM reviews r WHERE r.reviewer = t.user_id AND r.assignment_id = t.assignment_id AND NOT r.exemplar) ORDER BY t.user_id;

-- name: SawWork :exec
UPDATE review_requests SET seen = $3 WHERE user_id = $1 AND assignment_id = $2;

-- name: HasMoreWork :exec
-- A user who has reviewed knows of the work that is left, if any is.
UPDATE review_requests SET seen = COALESCE((SELECT l.entered FROM review_assignments l WHERE l.id = review_requests.assignment_id), 0)
WHERE review_requests.user_id = $1 AND review_requests.assignment_id = $2 AND EXISTS (
    SELECT 1 FROM review_queue q LEFT JOIN review_turns w ON w.id = q.id AND w.reviewer_id = $1
    WHERE q.assignment_id = $2 AND COALESCE(q.submitter_id, '') <> $1 AND w.turn IS NULL AND q.filled < q.most
);

-- name: InsertReviewState :exec
INSERT INTO review_states (id, seq, assignment_id, submitter_id, attempt, label, phase, reviews, needed, wanted, last_day, before_last_day, settle_at, circle_id)
VALUES ($1, $2, $3, $4,
    (SELECT COUNT(*) + 1 FROM review_states s WHERE s.assignment_id = $3 AND s.submitter_id = $4),
    $5, $6, $7, $8, $9, $10, $11, $12, sqlc.arg(circle_id));

-- name: UpdateReviewState :exec
UPDATE review_states SET phase = $2, reviews = $3, needed = $4, wanted = $5, last_day = $6, before_last_day = $7, settle_at = $8, appeal = $9, asked = $10, known = $11 WHERE id = $1;

-- name: LabelsOf :many
SELECT label FROM review_states s WHERE s.assignment_id = sqlc.arg(assignment_id) UNION ALL SELECT label FROM exemplars e WHERE e.assignment_id = sqlc.arg(assignment_id) LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: CountSubmissionsOf :one
SELECT COUNT(*) FROM (
    SELECT 1 FROM submissions s WHERE s.assignment_id = sqlc.arg(assignment_id) UNION ALL SELECT 1 FROM exemplars e WHERE e.assignment_id = sqlc.arg(assignment_id) LIMIT 1
) AS taken;

-- name: CountSubmitters :one
SELECT COUNT(*) FROM (
    SELECT DISTINCT submitter_id FROM review_states WHERE assignment_id = sqlc.arg(assignment_id) AND submitter_id IS NOT NULL LIMIT CAST(sqlc.arg(most) AS BIGINT)
) AS submitters;

-- name: ShortageFacts :one
-- Whether an assignment has work to review, and whether its creator is warned or about to be.
SELECT l.listed,
    CAST(EXISTS (SELECT 1 FROM notices t WHERE t.user_id = sqlc.arg(creator_id) AND t.kind = sqlc.arg(kind) AND t.subject = l.id)
        OR EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = sqlc.arg(creator_id) AND n.kind = sqlc.arg(kind) AND n.subject = l.id) AS BOOLEAN) AS warned
FROM review_assignments l WHERE l.id = sqlc.arg(id);

-- name: PlanShortage :exec
UPDATE review_assignments SET short_at = sqlc.narg(short_at) WHERE id = $1;

-- name: DueShortages :many
-- A circle that is not archived any more has its own then.
SELECT l.id FROM review_assignments l WHERE l.short_at <= $1 AND (l.circle_id = '' OR EXISTS (
    SELECT 1 FROM circles c WHERE c.id = l.circle_id AND c.archived_at IS NULL AND c.deleted_at IS NULL
)) ORDER BY l.short_at, l.id LIMIT 100 OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: ClaimShortage :execrows
UPDATE review_assignments SET short_at = NULL WHERE id = $1 AND short_at <= $2;

-- name: NeedReviews :exec
UPDATE submissions SET reviews_needed = $2 WHERE id = $1;

-- name: QueueReview :exec
-- Leaves out assignments hidden by a moderator.
INSERT INTO review_queue (id, seq, assignment_id, submitter_id, attempt, filled, wanted, most, ungiven, certain, circle_id, entered)
SELECT s.id, s.seq, s.assignment_id, s.submitter_id, s.attempt,
    s.reviews + (SELECT COUNT(*) FROM review_turns t WHERE t.id = s.id AND t.turn = 'leased'), s.wanted, CAST(sqlc.arg(most) AS BIGINT),
    -(SELECT COUNT(*) FROM reviews r WHERE r.reviewer = s.submitter_id AND r.assignment_id = s.assignment_id AND NOT r.exemplar),
    CAST(sqlc.arg(certain) AS BIGINT), s.circle_id, CAST(sqlc.arg(entered) AS BIGINT)
FROM review_states s JOIN assignments a ON a.id = s.assignment_id WHERE s.id = $1 AND a.hidden_reason IS NULL;

-- name: UnqueueReview :execrows
DELETE FROM review_queue WHERE id = $1;

-- name: RememberQueue :exec
UPDATE review_states SET hidden_certain = (SELECT q.certain FROM review_queue q WHERE q.id = review_states.id) WHERE review_states.assignment_id = $1;

-- name: UnqueueReviewsOf :exec
DELETE FROM review_queue WHERE assignment_id = $1;

-- name: EndLeasesUnder :exec
-- Exemplars included.
UPDATE review_turns SET turn = 'lapsed' WHERE turn = 'leased' AND id IN (
    SELECT s.id FROM review_states s WHERE s.assignment_id = sqlc.arg(assignment_id) UNION ALL SELECT e.id FROM exemplars e WHERE e.assignment_id = sqlc.arg(assignment_id));

-- name: RememberedQueue :many
-- An assignment's open submissions, with their positions in the queue.
SELECT id, seq, circle_id, reviews, needed, wanted, hidden_certain FROM review_states WHERE assignment_id = $1 AND phase IN ('open', 'appealed', 'reopened') ORDER BY id;

-- The submissions for a viewer's own assignments, which may be thousands at the front,
-- are skipped within the statement: reading them in windows took a third of a second.
-- name: NextShort :many
SELECT q.id, q.seq, q.assignment_id, COALESCE(q.submitter_id, '') AS submitter, q.attempt, q.filled, q.ungiven, q.certain,
    COALESCE(t.turn, '') AS turn, COALESCE(a.creator_id, '') AS creator
FROM (SELECT * FROM review_queue WHERE review_queue.circle_id = sqlc.arg(circle_id) AND filled < wanted AND (attempt, filled, ungiven, seq) > (CAST(sqlc.arg(attempt) AS BIGINT), CAST(sqlc.arg(filled) AS BIGINT), CAST(sqlc.arg(ungiven) AS BIGINT), CAST(sqlc.arg(seq) AS BIGINT)) AND assignment_id NOT IN (SELECT a.id FROM assignments a WHERE a.creator_id = CAST(sqlc.arg(viewer) AS TEXT)) ORDER BY attempt, filled, ungiven, seq LIMIT 25) q
JOIN assignments a ON a.id = q.assignment_id
LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(viewer) AS TEXT)
ORDER BY q.attempt, q.filled, q.ungiven, q.seq;

-- name: NextShortOf :many
SELECT q.id, q.seq, q.assignment_id, COALESCE(q.submitter_id, '') AS submitter, q.attempt, q.filled, q.ungiven, q.certain,
    COALESCE(t.turn, '') AS turn, COALESCE(a.creator_id, '') AS creator
FROM (SELECT * FROM review_queue WHERE assignment_id = $1 AND filled < wanted AND (attempt, filled, ungiven, seq) > (CAST(sqlc.arg(attempt) AS BIGINT), CAST(sqlc.arg(filled) AS BIGINT), CAST(sqlc.arg(ungiven) AS BIGINT), CAST(sqlc.arg(seq) AS BIGINT)) AND assignment_id NOT IN (SELECT a.id FROM assignments a WHERE a.creator_id = CAST(sqlc.arg(viewer) AS TEXT)) ORDER BY assignment_id, attempt, filled, ungiven, seq LIMIT 25) q
JOIN assignments a ON a.id = q.assignment_id
LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(viewer) AS TEXT)
ORDER BY q.attempt, q.filled, q.ungiven, q.seq;

-- name: NextWide :many
SELECT q.id, q.seq, q.assignment_id, COALESCE(q.submitter_id, '') AS submitter, q.attempt, q.filled, q.ungiven, q.certain,
    COALESCE(t.turn, '') AS turn, COALESCE(a.creator_id, '') AS creator
FROM (SELECT * FROM review_queue WHERE review_queue.circle_id = sqlc.arg(circle_id) AND filled >= wanted AND filled < most AND (certain, seq) > (CAST(sqlc.arg(certain) AS BIGINT), CAST(sqlc.arg(seq) AS BIGINT)) AND assignment_id NOT IN (SELECT a.id FROM assignments a WHERE a.creator_id = CAST(sqlc.arg(viewer) AS TEXT)) ORDER BY certain, seq LIMIT 25) q
JOIN assignments a ON a.id = q.assignment_id
LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(viewer) AS TEXT)
ORDER BY q.certain, q.seq;

-- name: NextWideOf :many
SELECT q.id, q.seq, q.assignment_id, COALESCE(q.submitter_id, '') AS submitter, q.attempt, q.filled, q.ungiven, q.certain,
    COALESCE(t.turn, '') AS turn, COALESCE(a.creator_id, '') AS creator
FROM (SELECT * FROM review_queue WHERE assignment_id = $1 AND filled >= wanted AND filled < most AND (certain, seq) > (CAST(sqlc.arg(certain) AS BIGINT), CAST(sqlc.arg(seq) AS BIGINT)) AND assignment_id NOT IN (SELECT a.id FROM assignments a WHERE a.creator_id = CAST(sqlc.arg(viewer) AS TEXT)) ORDER BY assignment_id, certain, seq LIMIT 25) q
JOIN assignments a ON a.id = q.assignment_id
LEFT JOIN review_turns t ON t.id = q.id AND t.reviewer_id = CAST(sqlc.arg(viewer) AS TEXT)
ORDER BY q.certain, q.seq;

-- name: ReviewersOf :many
-- Those to whom a user's latest submissions were given to review, without those who gave them back.
SELECT t.reviewer_id, s.assignment_id, CAST(COALESCE(r.given_at, t.until) AS BIGINT) AS at
FROM (SELECT id, assignment_id FROM review_states WHERE submitter_id = $1 ORDER BY settle_at DESC LIMIT 200) s
JOIN review_turns t ON t.id = s.id LEFT JOIN reviews r ON r.submission_id = t.id AND r.reviewer = t.reviewer_id
WHERE t.turn <> 'returned';

-- name: ReviewedBy :many
-- Whose work a user's latest reviews were of.
SELECT CAST(s.submitter_id AS TEXT) AS submitter_id, COUNT(*) AS times
FROM (SELECT submission_id FROM reviews WHERE reviewer = $1 ORDER BY seq DESC LIMIT 200) r JOIN review_states s ON s.id = r.submission_id
WHERE s.submitter_id IS NOT NULL GROUP BY s.submitter_id;

-- name: RingOf :many
-- Those who have the work of a user's reviewers to review, for one assignment.
SELECT DISTINCT second.reviewer_id
FROM review_states own JOIN review_turns first ON first.id = own.id
JOIN review_states s ON s.assignment_id = own.assignment_id AND s.submitter_id = first.reviewer_id JOIN review_turns second ON second.id = s.id
WHERE own.assignment_id = $1 AND own.submitter_id = $2 AND first.turn <> 'returned' AND second.turn <> 'returned';

-- name: FillPlace :execrows
UPDATE review_queue SET filled = filled + 1 WHERE id = $1 AND filled = CAST(sqlc.arg(filled) AS BIGINT) AND filled < most;

-- name: FreePlace :exec
UPDATE review_queue SET filled = filled - 1 WHERE id = $1;

-- name: UpdateQueued :exec
UPDATE review_queue SET filled = filled + CAST(sqlc.arg(more) AS BIGINT), wanted = $2, certain = $3 WHERE id = $1;

-- name: GaveReview :exec
UPDATE review_queue SET ungiven = ungiven - 1 WHERE submitter_id = $1 AND assignment_id = $2;

-- name: ReviewFacts :one
-- The outcome of a user's lease of a submission, the submission's free slots, its
-- leases, and the time of its latest settlement.
SELECT CAST(COALESCE((SELECT t.turn FROM review_turns t WHERE t.reviewer_id = sqlc.arg(reviewer_id) AND t.id = sqlc.arg(id)), '') AS TEXT) AS turn,
    CAST(COALESCE((SELECT q.wanted - q.filled FROM review_queue q WHERE q.id = sqlc.arg(id)), 0) AS BIGINT) AS slots,
    CAST((SELECT COUNT(*) FROM review_turns t WHERE t.id = sqlc.arg(id) AND t.turn = 'leased') AS BIGINT) AS leases,
    CAST(COALESCE((SELECT s.at FROM settlements s WHERE s.submission_id = sqlc.arg(id) ORDER BY s.n DESC LIMIT 1), 0) AS BIGINT) AS settled_at;

-- name: CountFreeReviewers :one
-- Members of a circle who may review in it and were never offered a submission. Organizers do not review.
SELECT COUNT(*) FROM (
    SELECT m.user_id FROM circle_members m JOIN circles c ON c.id = m.circle_id
    WHERE m.circle_id = sqlc.arg(circle_id) AND m.role = 'member' AND c.grading = 'members'
    AND m.user_id NOT IN (sqlc.arg(submitter_id), sqlc.arg(creator_id), sqlc.arg(grader_id))
    AND NOT EXISTS (SELECT 1 FROM review_turns t WHERE t.reviewer_id = m.user_id AND t.id = sqlc.arg(id))
    LIMIT sqlc.arg(most)
) free;

-- name: CountReviewersIn :one
-- Members of a circle who may review the work of one of them, whether or not they had it.
SELECT COUNT(*) FROM (
    SELECT m.user_id FROM circle_members m JOIN circles c ON c.id = m.circle_id
    WHERE m.circle_id = sqlc.arg(circle_id) AND m.role = 'member' AND c.grading = 'members'
    AND m.user_id NOT IN (sqlc.arg(submitter_id), sqlc.arg(creator_id))
    LIMIT sqlc.arg(most)
) reviewers;

-- name: GetLease :one
SELECT id, until FROM review_turns WHERE reviewer_id = $1 AND turn = 'leased';

-- name: ReservedReview :one
-- Exemplars included: to their reviewers they look like submissions.
SELECT t.id, t.until, s.circle_id, s.assignment_title, COALESCE(s.assignment_id, e.assignment_id, '') AS assignment_id
FROM review_turns t JOIN submissions s ON s.id = t.id LEFT JOIN exemplars e ON e.id = t.id
WHERE t.reviewer_id = $1 AND t.turn = 'leased' AND t.until > CAST(sqlc.arg(now) AS BIGINT);

-- name: InsertLease :execrows
INSERT INTO review_turns (reviewer_id, id, turn, until) VALUES ($1, $2, 'leased', $3) ON CONFLICT DO NOTHING;

-- name: PutTurn :exec
INSERT INTO review_turns (reviewer_id, id, turn, until) VALUES ($1, $2, $3, 0)
ON CONFLICT (reviewer_id, id) DO UPDATE SET turn = excluded.turn;

-- name: EndLease :execrows
UPDATE review_turns SET turn = $3 WHERE reviewer_id = $1 AND id = $2 AND turn = 'leased';

-- name: LeasesOf :many
SELECT id FROM review_turns WHERE reviewer_id = $1 AND turn = 'leased';

-- name: LeasesIn :many
-- A user's leases in a circle.
SELECT t.id FROM review_turns t JOIN submissions s ON s.id = t.id WHERE t.reviewer_id = $1 AND t.turn = 'leased' AND s.circle_id = $2;

-- name: EndReviewRequestsIn :exec
DELETE FROM review_requests WHERE user_id = $1 AND EXISTS (SELECT 1 FROM assignments a WHERE a.id = review_requests.assignment_id AND a.circle_id = $2);

-- name: InsertReview :one
INSERT INTO reviews (id, submission_id, assignment_id, reviewer, label, mark, levels, feedback, feedback_html, given_at, exemplar, circle_id, reply, part_p, part_m, part_xx, part_xe, part_xd)
VALUES ($1, $2, $3, $4, '', $5, $6, $7, $8, $9, $10, $11, '', 0, 0, 0, 0, 0) RETURNING seq;

-- name: LabelReview :exec
UPDATE reviews SET label = $2 WHERE id = $1;

-- name: ReviewsOf :many
SELECT * FROM reviews WHERE submission_id = $1 ORDER BY LENGTH(label), label;

-- name: GetReview :one
SELECT * FROM reviews WHERE id = $1;

-- name: CorrectReview :exec
UPDATE reviews SET mark = $2, levels = $3, feedback = $4, feedback_html = $5 WHERE id = $1;

-- name: InsertReviewVersion :exec
INSERT INTO review_versions (review_id, n, until, mark, levels, feedback, feedback_html)
VALUES ($1, (SELECT COUNT(*) + 1 FROM review_versions v WHERE v.review_id = $1), $2, $3, $4, $5, $6);

-- name: VersionsOfReviewsOn :many
-- The earlier versions of a submission's reviews, without those of feedback that a moderator hides.
SELECT v.* FROM reviews r JOIN review_versions v ON v.review_id = r.id WHERE r.submission_id = $1 AND r.hidden_feedback IS NULL ORDER BY r.label, v.n;

-- name: VersionsBy :many
-- The earlier versions of a user's reviews, by review and number, after the last one.
SELECT v.* FROM reviews r JOIN review_versions v ON v.review_id = r.id
WHERE r.reviewer = $1 AND (v.review_id, v.n) > (CAST(sqlc.arg(review_id) AS TEXT), CAST(sqlc.arg(n) AS BIGINT)) ORDER BY v.review_id, v.n LIMIT 1000;

-- name: PutPart :exec
UPDATE reviews SET label = $2, part_p = $3, part_m = $4, part_xx = $5, part_xe = $6, part_xd = $7 WHERE id = $1;

-- name: RecordsWithout :many
-- The records of a submission's reviewers without it.
SELECT g.reviewer, CAST(SUM(r.part_p) AS BIGINT) AS p, CAST(SUM(r.part_m) AS BIGINT) AS m, CAST(SUM(r.part_xx) AS BIGINT) AS xx,
    CAST(SUM(r.part_xe) AS BIGINT) AS xe, CAST(SUM(r.part_xd) AS BIGINT) AS xd
FROM reviews g JOIN reviews r ON r.reviewer = g.reviewer AND r.circle_id = g.circle_id AND r.submission_id <> g.submission_id WHERE g.submission_id = $1 GROUP BY g.reviewer;

-- name: ReviewedWork :many
-- The newest reviews for an assignment, those of one submission together.
SELECT r.submission_id, s.seq, s.marks, CAST(COALESCE(st.known, e.mark, -1) AS BIGINT) AS known, CAST(COALESCE(st.phase, '') AS TEXT) AS phase, r.reviewer, r.mark
FROM reviews r JOIN submissions s ON s.id = r.submission_id LEFT JOIN review_states st ON st.id = r.submission_id LEFT JOIN exemplars e ON e.id = r.submission_id
WHERE r.assignment_id = $1 AND s.ended_at IS NULL ORDER BY s.seq DESC, r.seq LIMIT CAST(sqlc.arg(most) AS BIGINT);

-- name: KeepLabel :exec
-- Of a submission that ends with reviews: their reviewers know it by its label.
UPDATE submissions SET past_label = $2 WHERE id = $1;

-- name: ForgetParts :exec
UPDATE reviews SET part_p = 0, part_m = 0, part_xx = 0, part_xe = 0, part_xd = 0 WHERE submission_id = $1;

-- name: DeleteReviewState :exec
DELETE FROM review_states WHERE id = $1;

-- name: ReplyToReview :exec
UPDATE reviews SET helpful = $2, reply = $3 WHERE id = $1;

-- name: RenameReviewer :exec
UPDATE reviews SET reviewer = CAST(sqlc.arg(pseudonym) AS TEXT) WHERE reviewer = $1;

-- name: AddToReviewTotals :exec
INSERT INTO review_totals (assignment_id, slot, submissions, means, squares, free, unsaid, said, said_squares, changed_day) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CAST(sqlc.arg(day) AS BIGINT))
ON CONFLICT (assignment_id, slot) DO UPDATE SET submissions = review_totals.submissions + excluded.submissions, means = review_totals.means + excluded.means,
    squares = review_totals.squares + excluded.squares, free = review_totals.free + excluded.free, unsaid = review_totals.unsaid + excluded.unsaid,
    said = review_totals.said + excluded.said, said_squares = review_totals.said_squares + excluded.said_squares, changed_day = excluded.changed_day;

-- name: ReviewTotals :one
SELECT CAST(COALESCE(SUM(submissions), 0) AS BIGINT) AS submissions, CAST(COALESCE(SUM(means), 0) AS BIGINT) AS means,
    CAST(COALESCE(SUM(squares), 0) AS BIGINT) AS squares, CAST(COALESCE(SUM(free), 0) AS BIGINT) AS free,
    CAST(COALESCE(SUM(unsaid), 0) AS BIGINT) AS unsaid, CAST(COALESCE(SUM(said), 0) AS BIGINT) AS said, CAST(COALESCE(SUM(said_squares), 0) AS BIGINT) AS said_squares
FROM review_totals WHERE assignment_id = $1;

-- name: InsertSettlement :exec
INSERT INTO settlements (submission_id, n, at, decided_by, reason, words, mark, model, decider_id, levels)
VALUES ($1, (SELECT COUNT(*) + 1 FROM settlements s WHERE s.submission_id = $1), $2, $3, $4, $5, $6, $7, $8, $9);

-- name: SettlementsOf :many
SELECT s.*, COALESCE(u.display_name, '') AS decider_name FROM settlements s LEFT JOIN users u ON u.id = s.decider_id
WHERE s.submission_id = $1 ORDER BY s.n;

-- name: InsertReopening :exec
INSERT INTO reopenings (submission_id, n, at, phase, words, asked_at)
VALUES ($1, (SELECT COUNT(*) + 1 FROM reopenings o WHERE o.submission_id = $1), $2, $3, $4, 0);

-- name: AskedToDecide :exec
-- The creator was asked to decide on the last one.
UPDATE reopenings SET asked_at = $2
WHERE reopenings.submission_id = $1 AND reopenings.n = (SELECT COUNT(*) FROM reopenings o WHERE o.submission_id = $1);

-- name: ReopeningsOf :many
SELECT * FROM reopenings WHERE submission_id = $1 ORDER BY n;

-- name: NumberSubmission :exec
UPDATE users SET submission_count = submission_count + 1 WHERE id = $1;

-- name: EndLeasesOn :exec
UPDATE review_turns SET turn = 'lapsed' WHERE id = $1 AND turn = 'leased';

-- name: WithdrawableReviewsOf :many
SELECT id FROM review_states WHERE submitter_id = $1 AND phase IN ('open', 'unattended') ORDER BY assignment_id, id;

-- name: DueReviews :many
SELECT id FROM review_states WHERE settle_at <= $1 AND phase <> 'settled' AND phase <> 'unattended' ORDER BY settle_at, id LIMIT 100 OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: LapsedLeases :many
SELECT reviewer_id, id FROM review_turns WHERE turn = 'leased' AND until <= $1 ORDER BY until, reviewer_id LIMIT 100 OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: ChangedScales :many
-- Assignments whose reviews have changed before a day, with parts of an earlier scale.
SELECT assignment_id FROM review_totals WHERE changed_day < CAST(sqlc.arg(day) AS BIGINT) GROUP BY assignment_id ORDER BY assignment_id LIMIT 100 OFFSET CAST(sqlc.arg(skip) AS BIGINT);

-- name: ScaleRenewed :exec
UPDATE review_totals SET changed_day = NULL WHERE assignment_id = $1 AND changed_day < CAST(sqlc.arg(day) AS BIGINT);

-- name: ReviewedAfter :many
SELECT r.submission_id FROM reviews r JOIN submissions s ON s.id = r.submission_id WHERE r.assignment_id = $1 AND r.submission_id > $2 AND s.ended_at IS NULL GROUP BY r.submission_id ORDER BY r.submission_id LIMIT 100;

-- name: InsertExemplar :exec
INSERT INTO exemplars (id, assignment_id, label, mark, reason, levels) VALUES ($1, $2, $3, $4, $5, $6);

-- name: GetExemplar :one
SELECT * FROM exemplars WHERE id = $1;

-- name: ExemplarsOf :many
SELECT * FROM exemplars WHERE assignment_id = $1 ORDER BY id;

-- name: ExemplarsBy :many
-- Those of a user's assignments after an id.
SELECT e.* FROM assignments a JOIN exemplars e ON e.assignment_id = a.id
WHERE a.creator_id = $1 AND e.id > CAST(sqlc.arg(after) AS TEXT) ORDER BY e.id LIMIT 1000;

-- name: RepliesBy :many
-- A user's replies to reviews of their submissions, after the last one by submission
-- and label. That order reveals nothing about the reviewers.
SELECT r.submission_id, r.label, r.helpful, r.reply FROM submissions s JOIN reviews r ON r.submission_id = s.id
WHERE s.submitter_id = $1 AND r.helpful IS NOT NULL
    AND (r.submission_id, r.label) > (CAST(sqlc.arg(submission_id) AS TEXT), CAST(sqlc.arg(label) AS TEXT))
ORDER BY r.submission_id, r.label LIMIT 1000;

-- name: AppealsBy :many
SELECT id, appeal FROM review_states WHERE submitter_id = $1 AND appeal <> '' AND id > CAST(sqlc.arg(after) AS TEXT) ORDER BY id LIMIT 1000;

-- name: UpdateExemplar :exec
UPDATE exemplars SET mark = $2, reason = $3, levels = $4 WHERE id = $1;

-- name: DeleteSample :exec
-- All rows that belong to an exemplar are deleted with it.
DELETE FROM submissions WHERE id = $1 AND status = 'exemplar';

-- name: ExemplarsFor :many
-- Those that a user has not had yet.
SELECT e.id FROM exemplars e JOIN assignments a ON a.id = e.assignment_id
WHERE e.assignment_id = $1 AND a.deleted_at IS NULL AND COALESCE(a.creator_id, '') <> CAST(sqlc.arg(viewer) AS TEXT)
    AND NOT EXISTS (SELECT 1 FROM review_turns t WHERE t.reviewer_id = CAST(sqlc.arg(viewer) AS TEXT) AND t.id = e.id);

-- name: RequestReviews :exec
INSERT INTO review_requests (user_id, assignment_id, asked, next_at) VALUES ($1, $2, 0, $3) ON CONFLICT (user_id, assignment_id) DO NOTHING;

-- name: PlanReviewRequest :exec
UPDATE review_requests SET asked = $3, next_at = $4 WHERE user_id = $1 AND assignment_id = $2;

-- name: EndReviewRequest :exec
DELETE FROM review_requests WHERE user_id = $1 AND assignment_id = $2;

-- name: ReviewRequestsWait :one
SELECT EXISTS (SELECT 1 FROM review_requests WHERE next_at <= $1);

-- name: DueReviewRequests :many
-- No moderator hides the assignment meanwhile.
SELECT t.user_id, t.assignment_id, t.asked, a.title, a.circle_id, a.due_at, a.due_offset, a.reviews_needed, a.reviews_owed,
    (SELECT COUNT(*) FROM reviews r WHERE r.reviewer = t.user_id AND r.assignment_id = t.assignment_id AND NOT r.exemplar) AS given,
    CAST(a.hidden_reason IS NOT NULL OR (a.deleted_at IS NULL AND EXISTS (SELECT 1 FROM taken k WHERE k.user_id = t.user_id AND k.seq = a.seq)) AS BOOLEAN) AS handed_in
FROM review_requests t JOIN assignments a ON a.id = t.assignment_id
WHERE t.next_at <= $1 ORDER BY t.next_at LIMIT CAST(sqlc.arg(most) AS BIGINT) FOR NO KEY UPDATE OF t SKIP LOCKED FOR KEY SHARE OF a SKIP LOCKED;
