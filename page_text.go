package studycircle

// MaxPageText bounds the long texts of one page of a list with their HTML, in bytes. A text that does not fit is cut
// to its Beginning, and its row is Partial.
const MaxPageText = 512 << 10

// Unrendered replaces the HTML of a Markdown text that a page leaves out.
const Unrendered = "<!-- -->"

// maxBeginning is the length of a Beginning, in characters.
const maxBeginning = 280

// Beginning returns the beginning of a long text, with an ellipsis, in its own memory.
func Beginning(text string) string {
	n := 0
	for at := range text {
		if n == maxBeginning {
			return text[:at] + "…"
		}
		n++
	}
	return text
}
