package studycircle

// MaxPageText bounds the long texts of one page of a list with what they show as, in
// bytes. A text that does not fit is cut to its Beginning, and its row is Partial.
const MaxPageText = 512 << 10

// Unrendered stands for the HTML of a text in Markdown where a page leaves it out.
const Unrendered = "<!-- -->"

// maxBeginning is the length of a Beginning, in characters.
const maxBeginning = 280

// Beginning returns the beginning of a long text, with an ellipsis, in memory of its own.
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
