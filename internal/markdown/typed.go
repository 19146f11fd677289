package markdown

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// This file has the exceptions from CommonMark: what users type without a thought of Markdown shows as typed.

// emphases parses * and _, except where they are parts of calculations and code.
type emphases struct{}

// Trigger implements parser.InlineParser.
func (emphases) Trigger() []byte { return []byte{'*', '_'} }

var (
	// aName matches a name between underscores: __init__, _my_name_. One word between single ones is emphasis. Names
	// have a bounded length, so that a line of them is read once.
	aName = regexp.MustCompile(`^(__[A-Za-z0-9_]{1,60}__|_[A-Za-z0-9]{1,60}_[A-Za-z0-9_]{0,60}_)(?:[^\pL\pN_]|$)`)
	// noBeginning matches what follows a * that is an operator or a part of a pattern: *=, *.go, **/.
	noBeginning = regexp.MustCompile(`^([-+/=,;:)\]}|]|\.[A-Za-z0-9])`)
)

// Parse implements parser.InlineParser.
func (emphases) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	if name := aName.FindSubmatch(line); name != nil {
		block.Advance(len(name[1]))
		return ast.NewTextSegment(segment.WithStop(segment.Start + len(name[1])))
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	after := firstRune(rest)
	mark := emphasis{}
	if inWord(before) && inWord(after) {
		mark.inWord, mark.from = true, wordStart(block.Source(), segment.Start)
	}
	found := parser.ScanDelimiter(line, before, 1, mark)
	operator := strings.ContainsRune(")]}/", before) || before == after && util.IsPunctRune(after)
	if operator || mark.inWord || noBeginning.Match(rest) && line[0] == '*' {
		found.CanOpen = false
	}
	if strings.ContainsRune("([{/", before) || before == after && util.IsPunctRune(after) {
		found.CanClose = false
	}
	found.Segment = segment.WithStop(segment.Start + found.OriginalLength)
	block.Advance(found.OriginalLength)
	pc.PushDelimiter(found)
	return found
}

// emphasis is a run of * or _. One within a word closes only what opens in the same word: **A**nswer, but not
// *p = a*b.
type emphasis struct {
	inWord bool
	from   int // where the word begins
}

// IsDelimiter implements parser.DelimiterProcessor.
func (emphasis) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	closes, is := closer.Processor.(emphasis)
	oneAndTwo := opener.OriginalLength+closer.OriginalLength == 3 // **p, and a* further on
	return is && opener.Char == closer.Char && !oneAndTwo && opener.Segment.Start >= closes.from
}

// OnMatch implements parser.DelimiterProcessor.
func (emphasis) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// wordStart returns where the word around a position begins. It looks back a bounded number of bytes.
func wordStart(source []byte, at int) int {
	const most = 64
	first := max(0, at-most)
	return first + bytes.LastIndexAny(source[first:at], " \t\n") + 1
}

// strikes parses ~~; a single tilde is a sign: 10~20, ~5, ~/bin.
type strikes struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (s strikes) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) < 2 || line[1] != '~' {
		return nil
	}
	return s.InlineParser.Parse(parent, block, pc)
}

// items parses the items of lists and keeps the numbers that are typed where they do not follow one another. A list
// whose items all have the number 1, or 0, is counted.
type items struct{ parser.BlockParser }

var number = regexp.MustCompile(`^\s*([0-9]{1,9})[.)]`)

// Names of attributes that no element of HTML has.
const (
	typedNumber = "typed"
	shownNumber = "shown"
)

// Open implements parser.BlockParser.
func (p items) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	last := parent.LastChild()
	node, state := p.BlockParser.Open(parent, reader, pc)
	digits := number.FindSubmatch(line)
	if node == nil || digits == nil {
		return node, state
	}
	typed, _ := strconv.Atoi(string(digits[1])) // at most nine digits
	shown := typed
	if last != nil {
		next := numberOf(last, shownNumber) + 1
		if typed <= 1 && typed == numberOf(last, typedNumber) {
			shown = next
		}
		if shown != next {
			node.SetAttributeString("value", []byte(strconv.Itoa(shown)))
		}
	}
	node.SetAttributeString(typedNumber, typed)
	node.SetAttributeString(shownNumber, shown)
	return node, state
}

func numberOf(item ast.Node, which string) int {
	found, _ := item.AttributeString(which)
	n, _ := found.(int)
	return n
}

// paragraphs parses paragraphs and notes the blanks that begin their lines; indents writes them.
type paragraphs struct{ parser.BlockParser }

// blanksKey is the key of the map from the start of a line in the source to the columns of blanks that begin its text.
var blanksKey = parser.NewContextKey()

// Close implements parser.BlockParser.
func (p paragraphs) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	source := reader.Source()
	blanks, _ := pc.Get(blanksKey).(map[int]int)
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		begins := line.TrimLeftSpace(source).Start
		if columns := line.Padding + columnsOf(source[line.Start:begins]); columns > 0 {
			if blanks == nil {
				blanks = map[int]int{}
				pc.Set(blanksKey, blanks)
			}
			blanks[lineStart(source, begins)] = columns
		}
	}
	p.BlockParser.Close(node, reader, pc)
}

// columnsOf returns how many columns blanks take.
func columnsOf[T string | []byte](blanks T) (columns int) {
	const tab = 4
	for i := range len(blanks) {
		if blanks[i] == '\t' {
			columns += tab
		} else {
			columns++
		}
	}
	return columns
}

func lineStart(source []byte, at int) int { return bytes.LastIndexByte(source[:at], '\n') + 1 }

// indents puts the blanks that begin a line of a paragraph in front of its text, as blanks that browsers show.
type indents struct{}

// Transform implements parser.ASTTransformer.
func (indents) Transform(root *ast.Document, reader text.Reader, pc parser.Context) {
	blanks, _ := pc.Get(blanksKey).(map[int]int)
	if blanks == nil {
		return
	}
	source := reader.Source()
	before := map[ast.Node]int{} // the columns in front of a node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if first := n.FirstChild(); first != nil && n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			before[first] = blanks[lineStart(source, n.Lines().At(0).Start)]
		}
		if t, is := n.(*ast.Text); is && t.NextSibling() != nil && (t.SoftLineBreak() || t.HardLineBreak()) {
			ends := bytes.IndexByte(source[t.Segment.Stop:], '\n')
			before[t.NextSibling()] = blanks[t.Segment.Stop+ends+1]
		}
		return ast.WalkContinue, nil
	}) // the function returns no error
	for n, columns := range before {
		if columns > 0 {
			n.Parent().InsertBefore(n.Parent(), n, ast.NewString([]byte(visible(columns))))
		}
	}
}

// visible returns blanks that browsers show at the beginning of a line. A copy of the text has ordinary ones: browsers
// see to that.
func visible(columns int) string { return strings.Repeat("\u00a0", columns) }

var leading = regexp.MustCompile(`(?m)^[ \t]+`)

// withBlanks makes the blanks visible that begin the lines of a text.
func withBlanks(s string) string {
	return leading.ReplaceAllStringFunc(s, func(blanks string) string { return visible(columnsOf(blanks)) })
}
