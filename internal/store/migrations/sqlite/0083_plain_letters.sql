-- Searches fold letters that have no decomposition, such as Ł and Ø, since this release: see words.go. Assignments with
-- one are indexed again by the background job for changed names; members are, for the keys of 0081. Names of circles, and
-- the index of the listed ones, change here.

-- +goose Up
INSERT INTO search_stale SELECT a.seq FROM assignments a LEFT JOIN users u ON u.id = a.creator_id
WHERE a.deleted_at IS NULL AND (a.title GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼØŁĐÐÞÆŒĦŦŊɃƁƂƇȻƉƊƋɆƏƎƐƑƓǤƔƗƖɈƘȽⱢƝȠƟƆƤɊɌⱤƬƮȾɄƲƳɎƵȤ]*' OR a.description GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼØŁĐÐÞÆŒĦŦŊɃƁƂƇȻƉƊƋɆƏƎƐƑƓǤƔƗƖɈƘȽⱢƝȠƟƆƤɊɌⱤƬƮȾɄƲƳɎƵȤ]*' OR u.display_name GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼØŁĐÐÞÆŒĦŦŊɃƁƂƇȻƉƊƋɆƏƎƐƑƓǤƔƗƖɈƘȽⱢƝȠƟƆƤɊɌⱤƬƮȾɄƲƳɎƵȤ]*')
ON CONFLICT (id) DO NOTHING;
UPDATE circles SET sort_key = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(sort_key, 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ð', 'd'), 'þ', 'th'), 'æ', 'ae'), 'œ', 'oe'), 'ħ', 'h'), 'ŧ', 't'), 'ŋ', 'n'), 'ı', 'i'), 'ĸ', 'k'), 'ƀ', 'b'), 'ɓ', 'b'), 'ƃ', 'b'), 'ƈ', 'c'), 'ȼ', 'c'), 'ɖ', 'd'), 'ɗ', 'd'), 'ƌ', 'd'), 'ɇ', 'e'), 'ə', 'e'), 'ǝ', 'e'), 'ɛ', 'e'), 'ƒ', 'f'), 'ɠ', 'g'), 'ǥ', 'g'), 'ɣ', 'g'), 'ɨ', 'i'), 'ɩ', 'i'), 'ɉ', 'j'), 'ƙ', 'k'), 'ƚ', 'l'), 'ɫ', 'l'), 'ɲ', 'n'), 'ƞ', 'n'), 'ɵ', 'o'), 'ɔ', 'o'), 'ƥ', 'p'), 'ɋ', 'q'), 'ɍ', 'r'), 'ɽ', 'r'), 'ƭ', 't'), 'ʈ', 't'), 'ⱦ', 't'), 'ʉ', 'u'), 'ʋ', 'v'), 'ƴ', 'y'), 'ɏ', 'y'), 'ƶ', 'z'), 'ȥ', 'z'), 'ʻ', ''), 'ʼ', '')
WHERE sort_key GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼ]*';
DELETE FROM listing_search WHERE rowid IN (
    SELECT l.seq FROM circle_listings l JOIN circles c ON c.id = l.circle_id WHERE c.name GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼØŁĐÐÞÆŒĦŦŊɃƁƂƇȻƉƊƋɆƏƎƐƑƓǤƔƗƖɈƘȽⱢƝȠƟƆƤɊɌⱤƬƮȾɄƲƳɎƵȤ]*'
);
INSERT INTO listing_search (rowid, words)
SELECT l.seq, replace(c.sort_key, ' ', ' t') || replace(c.sort_key, ' ', ' w') FROM circle_listings l JOIN circles c ON c.id = l.circle_id
WHERE c.name GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼØŁĐÐÞÆŒĦŦŊɃƁƂƇȻƉƊƋɆƏƎƐƑƓǤƔƗƖɈƘȽⱢƝȠƟƆƤɊɌⱤƬƮȾɄƲƳɎƵȤ]*';
INSERT OR IGNORE INTO search_words (word)
WITH RECURSIVE cut (word, rest) AS (
    SELECT '', substr(c.sort_key, 2) || ' ' FROM circle_listings l JOIN circles c ON c.id = l.circle_id WHERE c.name GLOB '*[øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼØŁĐÐÞÆŒĦŦŊɃƁƂƇȻƉƊƋɆƏƎƐƑƓǤƔƗƖɈƘȽⱢƝȠƟƆƤɊɌⱤƬƮȾɄƲƳɎƵȤ]*'
    UNION ALL
    SELECT substr(cut.rest, 1, instr(cut.rest, ' ') - 1), substr(cut.rest, instr(cut.rest, ' ') + 1) FROM cut WHERE cut.rest <> ''
)
SELECT DISTINCT cut.word FROM cut WHERE length(cut.word) > 3;

-- +goose Down
SELECT 1;
