package markdown

import (
	"bytes"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// formula is TeX between $…$ or $$…$$, kept whole: no mark within it counts. Its HTML is the source with the dollars;
// browsers draw it.
type formula struct {
	ast.BaseInline
	source []byte
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (*formula) Kind() ast.NodeKind { return kindFormula }

// Dump implements ast.Node.
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// formulaBlock holds the lines of a formula whose $$ begins a line and does not end on it.
type formulaBlock struct{ ast.BaseBlock }

var kindFormulaBlock = ast.NewNodeKind("FormulaBlock")

// Kind implements ast.Node.
func (*formulaBlock) Kind() ast.NodeKind { return kindFormulaBlock }

// IsRaw implements ast.Node.
func (*formulaBlock) IsRaw() bool { return true }

// Dump implements ast.Node.
func (f *formulaBlock) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// formulaParser parses formulas within a paragraph, by pandoc's rule: the opening $ is followed by a character that is
// no blank, the closing one is preceded by such a character and not followed by a digit. A $ after a letter or digit
// opens nothing: "10$, 20$" are prices.
type formulaParser struct{}

var (
	display = []byte("$$")
	// aPrice matches the beginning of what stands between the signs of "$5 more than 10$".
	aPrice = regexp.MustCompile(`^[0-9][\pL0-9.,/%-]{0,10}\s+\pL{2}`)
)

// Trigger implements parser.InlineParser.
func (formulaParser) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser.
func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, _ := block.PeekLine()
	sign := display[:1]
	if bytes.HasPrefix(line, display) {
		sign = display
	}
	if before == '$' || len(sign) == 1 && (inWord(before) || len(line) < 2 || util.IsSpace(line[1])) {
		return nil
	}
	block.Advance(len(sign))
	content := untilSign(block, sign)
	if len(bytes.TrimSpace(content)) == 0 {
		return nil
	}
	if next, _ := block.PeekLine(); len(sign) == 1 &&
		(endsBlank(content) || len(next) > 0 && '0' <= next[0] && next[0] <= '9' || aPrice.Match(content)) {
		return nil
	}
	return &formula{source: bytes.Join([][]byte{sign, content, sign}, nil)}
}

// untilSign returns the text up to the next sign that no backslash precedes and advances the reader past it, or
// returns nil if the block ends, or code begins, before it.
func untilSign(block text.Reader, sign []byte) (content []byte) {
	for line, _ := block.PeekLine(); line != nil; line, _ = block.PeekLine() {
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '\\':
				i++
			case line[i] == '`':
				return nil
			case bytes.HasPrefix(line[i:], sign):
				block.Advance(i + len(sign))
				return append(content, line[:i]...)
			}
		}
		content = append(content, line...)
		block.AdvanceLine()
	}
	return nil
}

func endsBlank(b []byte) bool { return util.IsSpace(b[len(b)-1]) }

// inWord reports whether r is a letter or digit of a script that puts blanks between words.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// formulaBlocks parses formulas of several lines, whose lines may begin with a sign that begins a list elsewhere.
type formulaBlocks struct{}

// Trigger implements parser.BlockParser.
func (formulaBlocks) Trigger() []byte { return []byte{'$'} }

// Open implements parser.BlockParser. It opens a block only if the closing $$ ends a line before the next blank one.
func (formulaBlocks) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], display) || bytes.Contains(line[at+len(display):], display) {
		return nil, parser.NoChildren
	}
	for next := range bytes.Lines(reader.Source()[segment.Stop:]) {
		if util.IsBlank(next) {
			break
		}
		if _, after, closes := bytes.Cut(next, display); closes {
			if !util.IsBlank(after) {
				break
			}
			block := &formulaBlock{}
			block.Lines().Append(segment.WithStart(segment.Start + at))
			reader.AdvanceToEOL()
			return block, parser.NoChildren
		}
	}
	return nil, parser.NoChildren
}

// Continue implements parser.BlockParser.
func (formulaBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, segment := reader.PeekLine()
	if util.IsBlank(line) {
		return parser.Close
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	if bytes.Contains(line, display) {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser.
func (formulaBlocks) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (formulaBlocks) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (formulaBlocks) CanAcceptIndentedLine() bool { return false }

// source returns the block's lines.
func (f *formulaBlock) source(b []byte) []byte { return bytes.TrimSpace(f.Lines().Value(b)) }

// firstRune returns the first character of b, or a blank at its end.
func firstRune(b []byte) rune {
	if len(b) == 0 {
		return ' '
	}
	r, _ := utf8.DecodeRune(b)
	return r
}
