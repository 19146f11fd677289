// Package markdown renders users' texts as safe HTML: CommonMark with tables, task lists, strikethrough, bare links and
// formulas, in which line breaks, blanks at the beginning of a line and the signs of calculations and code stay as
// typed. It knows nothing of comments, users and pages.
//
// The renderer passes no element of the text through: it shows HTML as typed and turns images into links. A second,
// independent library sanitises the result.
package markdown

import (
	"bytes"
	stdhtml "html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Document is a rendered text.
type Document struct {
	HTML string
	// Mentioned are the ids of the mentioned users, each once, in order.
	Mentioned []string
}

// A text beyond one of these bounds is shown as typed.
const (
	// maxNesting bounds how many quotes, lists and spans of emphasis enclose a piece
	// of text.
	maxNesting = 8
	// maxGrowth and maxHTML bound the HTML, in bytes: the first as a multiple of the
	// source's length, the second absolutely. A link that is defined once and used a
	// thousand times, for example, makes a long page from a short source.
	maxGrowth = 8
	maxHTML   = 64 << 10
	// alwaysFits is the length of HTML that any source may produce: a short table, list
	// or link consists mostly of markup.
	alwaysFits = 1 << 10
)

// maxHTMLOf returns the bound on the HTML of a source, in bytes.
func maxHTMLOf(source string) int {
	return min(max(maxGrowth*len(source), alwaysFits), maxHTML)
}

// Render turns a text into HTML of at most maxHTMLOf bytes. Its first headings are of
// the level top, so that they stand below those of the page, and none skips a level. A
// text that exceeds a bound is shown as typed, followed by a sentence that says why.
func Render(source string, top int) Document {
	if isOneSentence(source) {
		return Document{HTML: asTyped(source)}
	}
	b := []byte(source)
	root := flavour.Parser().Parse(text.NewReader(b))
	doc, ok := prepare(root, top)
	if !ok {
		return Document{HTML: asTyped(source) + tooDeep}
	}
	out := bounded{left: maxHTMLOf(source)}
	if err := flavour.Renderer().Render(&out, b, root); err != nil {
		return Document{HTML: asTyped(source) + tooLong}
	}
	doc.HTML = inScroller.Replace(leadsNowhere.ReplaceAllString(allowed.Sanitize(out.String()), "$1"))
	if len(doc.HTML) > maxHTMLOf(source) {
		return Document{HTML: asTyped(source) + tooLong}
	}
	return doc
}

// The sentences that follow a text shown as typed.
const (
	tooDeep = "<p><em>Shown as typed: its quotes, lists or emphasis are nested more than eight deep.</em></p>\n"
	tooLong = "<p><em>Shown as typed: with its formatting it would be too long for this page.</em></p>\n"
)

// Plain returns a text without Markdown's marks, on one line.
func Plain(source string) string {
	b := []byte(source)
	var out strings.Builder
	_ = ast.Walk(flavour.Parser().Parse(text.NewReader(b)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, is := n.(*ast.Link); is && isCode(l) {
			out.WriteString(map[bool]string{true: "[", false: "](" + string(l.Destination) + ")"}[entering])
		}
		if !entering {
			if n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(b)
			if !n.IsRaw() {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			out.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.AutoLink:
			out.Write(n.Label(b))
		case *mention:
			out.WriteString("@" + n.name)
		case *formula:
			out.Write(n.source)
		case *formulaBlock:
			out.Write(n.source(b))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	}) // the function returns no error
	return strings.Join(strings.Fields(out.String()), " ")
}

// isOneSentence reports whether a text is one line without characters that have a meaning in Markdown. Most feedback
// is, and parsing it costs fifty times as much as this check.
func isOneSentence(source string) bool {
	first, _ := utf8.DecodeRuneInString(source)
	if !unicode.IsLetter(first) || strings.Contains(source, "www.") {
		return false
	}
	for i := range len(source) {
		if c := source[i]; c < ' ' || strings.IndexByte("`*_[]<>&#~|:@$\\", c) >= 0 {
			return false
		}
	}
	return true
}

// asTyped returns a text as typed. Its blanks count towards maxHTML: a text of blanks shows without them.
func asTyped(source string) string {
	escaped := stdhtml.EscapeString(source)
	typed := withBlanks(escaped)
	if len(typed) > maxHTML/2 {
		typed = escaped
	}
	return "<p>" + strings.ReplaceAll(typed, "\n", "<br>\n") + "</p>\n"
}

// WithNames replaces the names of mentions in HTML of Render by the present names.
func WithNames(rendered string, name func(id string) string) string {
	if !strings.Contains(rendered, mentionStart) {
		return rendered
	}
	return mentionHTML.ReplaceAllStringFunc(rendered, func(found string) string {
		id := mentionHTML.FindStringSubmatch(found)[1]
		return mentionStart + id + `">@` + stdhtml.EscapeString(name(id)) + "</span>"
	})
}

// MentionedIn returns the ids of the users that HTML of Render mentions.
func MentionedIn(rendered string) (ids []string) {
	if !strings.Contains(rendered, mentionStart) {
		return nil
	}
	for _, found := range mentionHTML.FindAllStringSubmatch(rendered, -1) {
		ids = append(ids, found[1])
	}
	return ids
}

const mentionStart = `<span class="mention" data-mention="`

var mentionHTML = regexp.MustCompile(mentionStart + `([A-Za-z0-9_-]{1,64})">[^<]*</span>`)

// flavour is CommonMark without HTML, with GitHub's extensions and formulas.
var flavour = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(replaced(parser.DefaultBlockParsers(), map[parser.BlockParser]parser.BlockParser{
			parser.NewHTMLBlockParser():  nil,
			parser.NewBlockquoteParser(): shallowQuotes{parser.NewBlockquoteParser()},
			parser.NewListItemParser():   items{parser.NewListItemParser()},
			parser.NewParagraphParser():  paragraphs{parser.NewParagraphParser()},
		})...),
		parser.WithBlockParsers(util.Prioritized(formulaBlocks{}, 700)),
		parser.WithInlineParsers(replaced(parser.DefaultInlineParsers(), map[parser.InlineParser]parser.InlineParser{
			parser.NewRawHTMLParser():  nil,
			parser.NewCodeSpanParser(): codeSpans{parser.NewCodeSpanParser()},
			parser.NewEmphasisParser(): emphases{},
		})...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(smallTables{extension.NewTableParagraphTransformer()}, 200))...),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(indents{}, 100),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(formulaParser{}, 140),
			util.Prioritized(mentionParser{}, 150),
			util.Prioritized(strikes{extension.NewStrikethroughParser()}, 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
	)),
	goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(
		util.Prioritized(
			extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500,
		),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(ownElements{}, 400),
	)),
)

// replaced replaces parsers, and removes those that are replaced by nil.
func replaced[P comparable](all []util.PrioritizedValue, by map[P]P) (kept []util.PrioritizedValue) {
	var none P
	for _, one := range all {
		p, _ := one.Value.(P)
		if instead, is := by[p]; is {
			one.Value = instead
			if instead == none {
				continue
			}
		}
		kept = append(kept, one)
	}
	return kept
}

// allowed is the sanitiser's policy.
var allowed = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote",
		"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "span", "var")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("value").Matching(bluemonday.Integer).OnElements("li")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|right|center)$`)).OnElements("th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[A-Za-z0-9+#_.-]{1,30}$`)).OnElements("code")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(mention|task)$`)).OnElements("span")
	p.AllowAttrs("data-mention").Matching(regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)).OnElements("span")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^img$`)).OnElements("span")
	p.AllowAttrs("aria-label").Matching(regexp.MustCompile(`^(Done|Not done)$`)).OnElements("span")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^` + rel + `$`)).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireParseableURLs(true)
	return p
}()

// rel keeps links from vouching for their targets and from handing them the opener.
const rel = "nofollow ugc noopener"

// leadsNowhere matches links whose address the sanitiser has removed. Links do not nest.
var leadsNowhere = regexp.MustCompile(`(?s)<a rel="` + rel + `">(.*?)</a>`)

// inScroller makes a wide table scroll within the page, by keyboard too. No text contains these characters unescaped.
var inScroller = strings.NewReplacer(
	"<table>", `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>`,
	"</table>", "</table></div>",
)

// bounded accepts a bounded number of bytes.
type bounded struct {
	bytes.Buffer
	left int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, bytes.ErrTooLarge
	}
	return b.Buffer.Write(p)
}
