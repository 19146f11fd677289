-- Circles: private groups, their members, and the ways to join. Times are microseconds since 1970, UTC.

-- +goose Up
CREATE TABLE circles (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    sort_key TEXT NOT NULL, -- the name as lists are sorted and searched
    description TEXT NOT NULL DEFAULT '', -- Markdown
    html TEXT NOT NULL DEFAULT '', -- its rendering
    listed BOOLEAN NOT NULL DEFAULT FALSE,
    joining TEXT NOT NULL, -- invite, ask or open
    publishing TEXT NOT NULL, -- members or organizers
    grading TEXT NOT NULL, -- members or organizers
    members BIGINT NOT NULL DEFAULT 0,
    heir_id TEXT REFERENCES users (id) ON DELETE SET NULL, -- a member who is asked to become owner
    heir_of TEXT REFERENCES users (id) ON DELETE SET NULL, -- the owner who asked
    notice TEXT NOT NULL DEFAULT '', -- how the circle got its present owner, if the last one left
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    archived_at BIGINT,
    deleted_at BIGINT
);
CREATE INDEX circles_listed ON circles (sort_key, id) WHERE listed AND deleted_at IS NULL AND archived_at IS NULL;
CREATE INDEX circles_heir ON circles (heir_id) WHERE heir_id IS NOT NULL;
CREATE INDEX circles_heir_of ON circles (heir_of) WHERE heir_of IS NOT NULL;
CREATE INDEX circles_deleted ON circles (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE circle_members (
    seq BIGSERIAL PRIMARY KEY,
    circle_id TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL, -- owner, organizer or member
    label TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '', -- as in the roster
    joined_at BIGINT NOT NULL,
    UNIQUE (circle_id, user_id)
);
CREATE UNIQUE INDEX circle_members_user ON circle_members (user_id, circle_id);
CREATE INDEX circle_members_place ON circle_members (circle_id, seq);
CREATE INDEX circle_members_role ON circle_members (circle_id, role, seq);
CREATE INDEX circle_members_label ON circle_members (circle_id, label, seq) WHERE label <> '';

-- The words by which members are found: of their display names, and for organizers of addresses and of names in the
-- roster. A word is the hexadecimal form of its bytes, which every collation sorts alike.
CREATE TABLE circle_member_words (
    circle_id TEXT NOT NULL,
    word TEXT NOT NULL,
    seq BIGINT NOT NULL REFERENCES circle_members (seq) ON DELETE CASCADE,
    for_organizers BOOLEAN NOT NULL,
    PRIMARY KEY (circle_id, word, seq, for_organizers)
);
CREATE INDEX circle_member_words_member ON circle_member_words (seq);

-- Users whom an organizer has removed: only a new invitation lets them in again.
CREATE TABLE circle_removals (
    circle_id TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    removed_at BIGINT NOT NULL,
    PRIMARY KEY (circle_id, user_id)
);
CREATE INDEX circle_removals_user ON circle_removals (user_id);

-- Invitations by link, of which the hash of the secret is stored, and of the roster, which have an address instead.
CREATE TABLE circle_invitations (
    seq BIGSERIAL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    circle_id TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    secret_hash TEXT UNIQUE,
    role TEXT NOT NULL,
    label TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '',
    uses_left BIGINT, -- NULL is without a limit
    only_email TEXT NOT NULL DEFAULT '',
    only_domain TEXT NOT NULL DEFAULT '',
    roster_email TEXT, -- the address that joins as soon as it is verified
    created_by TEXT REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX circle_invitations_circle ON circle_invitations (circle_id, seq);
CREATE UNIQUE INDEX circle_invitations_roster ON circle_invitations (roster_email, circle_id) WHERE roster_email IS NOT NULL;
CREATE INDEX circle_invitations_creator ON circle_invitations (created_by) WHERE created_by IS NOT NULL;

-- The users who joined by an invitation.
CREATE TABLE circle_joins (
    invitation_id TEXT NOT NULL REFERENCES circle_invitations (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (invitation_id, user_id)
);
CREATE INDEX circle_joins_user ON circle_joins (user_id);

-- Users who ask to join.
CREATE TABLE circle_requests (
    seq BIGSERIAL PRIMARY KEY,
    circle_id TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    asked_at BIGINT NOT NULL,
    UNIQUE (circle_id, user_id)
);
CREATE INDEX circle_requests_circle ON circle_requests (circle_id, seq);
CREATE INDEX circle_requests_user ON circle_requests (user_id);

-- The circle of an assignment; '' if it is public. It never changes.
ALTER TABLE assignments ADD COLUMN circle_id TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE assignments DROP COLUMN circle_id;
DROP TABLE circle_requests;
DROP TABLE circle_joins;
DROP TABLE circle_invitations;
DROP TABLE circle_removals;
DROP TABLE circle_member_words;
DROP TABLE circle_members;
DROP TABLE circles;
