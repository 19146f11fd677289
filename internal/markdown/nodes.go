package markdown

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/yuin/goldmark/ast"
	extensions "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prepare rewrites a parsed text for display: headings of the right level, links with rel, and links in place of
// images. It reports whether the text is within the bounds.
func prepare(root ast.Node, top int) (doc Document, ok bool) {
	var pictures []*ast.Image
	var calls []*ast.Link
	var above []int // the levels, as written, of the headings that the present one stands below
	nesting := 0
	ok = true
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if nests(n) {
			if !entering {
				nesting--
			} else if nesting++; nesting > maxNesting {
				ok = false
				return ast.WalkStop, nil
			}
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			// No heading is more than one level below the one before: a reader who jumps
			// from heading to heading would miss the levels between.
			const lowest = 6
			for len(above) > 0 && above[len(above)-1] >= n.Level {
				above = above[:len(above)-1]
			}
			above = append(above, n.Level)
			n.Level = min(top+len(above)-1, lowest)
		case *ast.Link:
			if isCode(n) {
				calls = append(calls, n)
			}
			n.SetAttributeString("rel", []byte(rel))
		case *ast.AutoLink:
			n.SetAttributeString("rel", []byte(rel))
		case *ast.Image:
			pictures = append(pictures, n)
		case *mention:
			if !slices.Contains(doc.Mentioned, n.id) {
				doc.Mentioned = append(doc.Mentioned, n.id)
			}
		}
		return ast.WalkContinue, nil
	}) // the function returns no error
	for _, p := range slices.Backward(pictures) { // inner ones first
		link(p)
	}
	for _, c := range calls {
		asCode(c)
	}
	return doc, ok
}

// nests reports whether n counts towards maxNesting.
func nests(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindBlockquote, ast.KindList, ast.KindEmphasis, extensions.KindStrikethrough:
		return true
	}
	return false
}

// link replaces an image by a link, because nothing is loaded from other sites.
func link(p *ast.Image) {
	var in ast.Node = ast.NewTextBlock() // within a link the image's description is enough
	if !within[*ast.Link](p) {
		l := ast.NewLink()
		l.Destination, l.Title = p.Destination, p.Title
		l.SetAttributeString("rel", []byte(rel))
		in = l
	}
	for child := p.FirstChild(); child != nil; child = p.FirstChild() {
		in.AppendChild(in, child)
	}
	if in.FirstChild() == nil {
		in.AppendChild(in, ast.NewString(util.EscapeHTML(p.Destination)))
	}
	parent := p.Parent()
	if _, is := in.(*ast.Link); is {
		parent.ReplaceChild(parent, p, in)
		return
	}
	for child := in.FirstChild(); child != nil; child = in.FirstChild() {
		parent.InsertBefore(parent, p, child)
	}
	parent.RemoveChild(parent, p)
}

// isCode reports whether what looks like a link is rather code, as in call[i](x): it leads nowhere.
func isCode(l *ast.Link) bool {
	return l.Title == nil && !bytes.ContainsAny(l.Destination, ":/?#")
}

// asCode replaces a link by what was typed.
func asCode(l *ast.Link) {
	parent := l.Parent()
	parent.InsertBefore(parent, l, ast.NewString([]byte("[")))
	for child := l.FirstChild(); child != nil; child = l.FirstChild() {
		parent.InsertBefore(parent, l, child)
	}
	end := ast.NewString(slices.Concat([]byte("]("), l.Destination, []byte(")")))
	end.SetRaw(true)
	parent.ReplaceChild(parent, l, end)
}

func within[N ast.Node](n ast.Node) bool {
	for at := n.Parent(); at != nil; at = at.Parent() {
		if _, is := at.(N); is {
			return true
		}
	}
	return false
}

// shallowQuotes parses block quotes up to one level deeper than Render shows, because
// the cost of parsing nested quotes grows with the square of their number.
type shallowQuotes struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (q shallowQuotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for at := parent; at != nil; at = at.Parent() {
		if nests(at) {
			depth++
		}
	}
	if depth > maxNesting {
		return nil, parser.NoChildren
	}
	return q.BlockParser.Open(parent, reader, pc)
}

// codeSpans parses code within a line. For unclosed backticks the library searches the
// rest of the block each time; codeSpans searches it once.
type codeSpans struct{ parser.InlineParser }

// unclosed holds the lengths of backtick runs that no later run in the block closes.
type unclosed struct {
	block   ast.Node
	lengths map[int]bool
}

var unclosedKey = parser.NewContextKey()

// Parse implements parser.InlineParser.
func (c codeSpans) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := 0
	for n < len(line) && line[n] == '`' {
		n++
	}
	known, _ := pc.Get(unclosedKey).(*unclosed)
	if known == nil || known.block != parent {
		known = &unclosed{block: parent, lengths: map[int]bool{}}
		pc.Set(unclosedKey, known)
	}
	if known.lengths[n] {
		block.Advance(n)
		return ast.NewTextSegment(segment.WithStop(segment.Start + n))
	}
	found := c.InlineParser.Parse(parent, block, pc)
	if _, is := found.(*ast.CodeSpan); !is {
		known.lengths[n] = true
	}
	return found
}

// smallTables parses tables. One with too many cells, most of which the parser would add,
// stays text.
type smallTables struct{ parser.ParagraphTransformer }

// maxCells bounds the columns of a table times its lines.
const maxCells = 4000

// Transform implements parser.ParagraphTransformer.
func (t smallTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	most := 0
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		columns := 1
		for _, c := range line.Value(reader.Source()) {
			if c == '|' {
				columns++
			}
		}
		most = max(most, columns)
	}
	if most*node.Lines().Len() <= maxCells {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// mention is @[Name](user:ID).
type mention struct {
	ast.BaseInline
	name, id string
}

var kindMention = ast.NewNodeKind("Mention")

// Kind implements ast.Node.
func (*mention) Kind() ast.NodeKind { return kindMention }

// Dump implements ast.Node.
func (m *mention) Dump(source []byte, level int) {
	ast.DumpHelper(m, source, level, map[string]string{"Name": m.name, "ID": m.id}, nil)
}

type mentionParser struct{}

// Trigger implements parser.InlineParser.
func (mentionParser) Trigger() []byte { return []byte{'@'} }

var mentionText = regexp.MustCompile(`^@\[([^\[\]\n]{1,400})\]\(user:([A-Za-z0-9_-]{1,64})\)`)

// Parse implements parser.InlineParser.
func (mentionParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	found := mentionText.FindSubmatch(line)
	if found == nil {
		return nil
	}
	block.Advance(len(found[0]))
	return &mention{name: string(found[1]), id: string(found[2])}
}

// ownElements renders elements that the library's renderers do not, or not as needed.
type ownElements struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (ownElements) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindMention, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if m, is := n.(*mention); is && entering {
			_, _ = w.WriteString(mentionStart + m.id + `">@`) // Flush returns the error
			_, _ = w.Write(util.EscapeHTML([]byte(m.name)))
			_, _ = w.WriteString("</span>")
		}
		return ast.WalkContinue, nil
	})
	r.Register(kindFormula, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, is := n.(*formula); is && entering {
			writeFormula(w, f.source)
		}
		return ast.WalkContinue, nil
	})
	r.Register(kindFormulaBlock, func(w util.BufWriter, b []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, is := n.(*formulaBlock); is && entering {
			_, _ = w.WriteString("<p>") // Flush returns the error
			writeFormula(w, f.source(b))
			_, _ = w.WriteString("</p>\n")
		}
		return ast.WalkContinue, nil
	})
	r.Register(extensions.KindTaskCheckBox, func(
		w util.BufWriter, _ []byte, n ast.Node, entering bool,
	) (ast.WalkStatus, error) {
		if box, is := n.(*extensions.TaskCheckBox); is && entering {
			drawn := `<span class="task" role="img" aria-label="Not done">☐</span> `
			if box.IsChecked {
				drawn = `<span class="task" role="img" aria-label="Done">☑</span> `
			}
			_, _ = w.WriteString(drawn) // Flush returns the error
		}
		return ast.WalkContinue, nil
	})
}

// writeFormula writes a formula as the element that browsers draw. Its name is short, because a text may consist of
// formulas of one letter.
func writeFormula(w util.BufWriter, source []byte) {
	_, _ = w.WriteString("<var>") // Flush returns the error
	_, _ = w.Write(util.EscapeHTML(source))
	_, _ = w.WriteString("</var>")
}
