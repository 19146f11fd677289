package markdown

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func TestRender(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"Hello *there* **you** ~~not~~":                       "<p>Hello <em>there</em> <strong>you</strong> <del>not</del></p>\n",
		"# One\n\n###### Six":                                 "<h3>One</h3>\n<h4>Six</h4>\n",
		"## Two\n\n#### Four\n\n### Three\n\n# One\n\n## Two": "<h3>Two</h3>\n<h4>Four</h4>\n<h4>Three</h4>\n<h3>One</h3>\n<h4>Two</h4>\n",
		"# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5":           "<h3>1</h3>\n<h4>2</h4>\n<h5>3</h5>\n<h6>4</h6>\n<h6>5</h6>\n",
		"`a ``b` c`":                                               "<p><code>a ``b</code> c`</p>\n",
		"``a `b`\n\nc ``d``":                                       "<p>``a <code>b</code></p>\n<p>c <code>d</code></p>\n",
		"1 < 2 & <b>bold</b>":                                      "<p>1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;</p>\n",
		"<script>alert(1)</script>":                                "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"[a](https://example.org/?a=1&b=2)":                        `<p><a href="https://example.org/?a=1&amp;b=2" rel="nofollow ugc noopener">a</a></p>` + "\n",
		"see https://example.org/a_b":                              `<p>see <a href="https://example.org/a_b" rel="nofollow ugc noopener">https://example.org/a_b</a></p>` + "\n",
		"<https://example.org>":                                    `<p><a href="https://example.org" rel="nofollow ugc noopener">https://example.org</a></p>` + "\n",
		"[a](javascript:alert(1))":                                 "<p>a</p>\n",
		"[a](data:text/html,hi)":                                   "<p>a</p>\n",
		"[a](//evil.example) [b](/x) [c](#d)":                      "<p>a b c</p>\n",
		"![A cat](https://example.org/a.png)":                      `<p><a href="https://example.org/a.png" rel="nofollow ugc noopener">A cat</a></p>` + "\n",
		"![](https://example.org/a.png)":                           `<p><a href="https://example.org/a.png" rel="nofollow ugc noopener">https://example.org/a.png</a></p>` + "\n",
		"[![A cat](https://a.example/a.png)](https://example.org)": `<p><a href="https://example.org" rel="nofollow ugc noopener">A cat</a></p>` + "\n",
		"- [ ] one\n- [x] two": "<ul>\n<li><span class=\"task\" role=\"img\" aria-label=\"Not done\">☐</span> one</li>\n" +
			"<li><span class=\"task\" role=\"img\" aria-label=\"Done\">☑</span> two</li>\n</ul>\n",
		"```go\nfunc main() {}\n```": "<pre><code class=\"language-go\">func main() {}\n</code></pre>\n",
		"```x\" onclick=\"y\na\n```": "<pre><code>a\n</code></pre>\n",
		"3. three":                   "<ol start=\"3\">\n<li>three</li>\n</ol>\n",
		"| a | b |\n|---|--:|\n| 1 | 2 |": `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>` +
			"\n<thead>\n<tr>\n<th>a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table></div>\n",
		"@[Ada <b>](user:0abc) hi": `<p><span class="mention" data-mention="0abc">@Ada &lt;b&gt;</span> hi</p>` + "\n",
		"`@[Ada](user:0abc)`":      "<p><code>@[Ada](user:0abc)</code></p>\n",
		"@[Ada](user:no blanks)":   "<p>@[Ada](user:no blanks)</p>\n",
	} {
		require.Equal(t, want, Render(source, 3).HTML, source)
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	doc := Render("@[Ada](user:a1) and @[Bob](user:b2), `@[Eve](user:e3)`, again @[Ada](user:a1)", 3)
	require.Equal(t, []string{"a1", "b2"}, doc.Mentioned)
	require.Equal(t, []string{"a1", "b2", "a1"}, MentionedIn(doc.HTML))
	named := WithNames(doc.HTML, func(id string) string { return map[string]string{"a1": "Ada <Queen>", "b2": "Robert"}[id] })
	require.Equal(t, `<p><span class="mention" data-mention="a1">@Ada &lt;Queen&gt;</span> and <span class="mention" data-mention="b2">@Robert</span>, `+
		`<code>@[Eve](user:e3)</code>, again <span class="mention" data-mention="a1">@Ada &lt;Queen&gt;</span></p>`+"\n", named)
	require.Equal(t, named, WithNames(named, func(id string) string { return map[string]string{"a1": "Ada <Queen>", "b2": "Robert"}[id] }))
	require.Empty(t, MentionedIn(Render(`<span class="mention" data-mention="a1">@Ada</span>`, 3).HTML), "typed HTML mentions no user")
}

// A text that isOneSentence accepts is rendered as the parser would render it.
func TestOneSentence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := strings.TrimSpace(rapid.StringOf(rapid.SampledFrom([]rune("ab Zé1.)-+=!?'\"(/%${}^;,wé漢\u00a0\u200b\u2028"))).Draw(t, "source"))
		if !isOneSentence(source) {
			return
		}
		b := []byte(source)
		var out strings.Builder
		require.NoError(t, flavour.Renderer().Render(&out, b, flavour.Parser().Parse(text.NewReader(b))))
		require.Equal(t, allowed.Sanitize(out.String()), asTyped(source))
	})
	require.True(t, isOneSentence("Explain why the sea comes and goes."))
	for _, marked := range []string{"a *b*", "1. a", "- a", "# a", "a\nb", "www.example.org", "see http://a.b", "a@b.c", "a | b", "a\\b", "", "&amp;"} {
		require.False(t, isOneSentence(marked), marked)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Tides Read the chapter and look @Ada", Plain("# Tides\n\nRead *the* [chapter](https://example.org)\nand `look`\n\n```\ncode\n```\n@[Ada](user:a)"))
}

// Marks leave no trace: a word in bold keeps the comma after it, and an escaped character stands for itself.
func TestPlainReadsAsItIsShown(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"Draw **three**, not *four*; then `x`.": "Draw three, not four; then x.",
		"2 \\* 3 &lt; 7 &#38; `a \\* b &lt;`":   "2 * 3 < 7 & a \\* b &lt;",
		"- one\n- two\n\n> three":               "one two three",
		"|a|b|\n|-|-|\n|c|d|":                   "a b c d",
		"See <https://example.org> and www.a.b": "See https://example.org and www.a.b",
		"line\\\nbreak":                         "line break",
	} {
		require.Equal(t, want, Plain(source), source)
	}
}

// bombs returns texts of about most bytes, each chosen to take a parser or a browser long.
func bombs(most int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, most/len(unit)) }
	row := func(columns int, cell string) string { return strings.Repeat("|"+cell, columns) + "|\n" }
	side := int(math.Sqrt(float64(most)) * 0.6)
	return map[string]string{
		"quotes":          fill(">"),
		"quotes apart":    fill("> "),
		"lists":           fill("- "),
		"numbers":         fill("1. "),
		"stairs":          stairs(most),
		"brackets":        fill("["),
		"images":          fill("!["),
		"links":           fill("[a]("),
		"closed":          strings.Repeat("[", most/2) + strings.Repeat("]", most/2),
		"emphasis":        fill("*a "),
		"strong":          fill("**a _b "),
		"strikes":         fill("~~a "),
		"code":            backticks(most),
		"escapes":         fill("\\["),
		"entities":        fill("&#1;&amp;"),
		"references":      "[a]: https://example.org/" + strings.Repeat("x", 2*most/5) + "\n\n" + strings.Repeat("[a]", 19*most/100),
		"addresses":       fill("www.a.b "),
		"mails":           fill("a@b.c "),
		"mentions":        fill("@[a](user:x)"),
		"half a mention":  fill("@[a"),
		"angles":          fill("<a "),
		"comments":        fill("<!--"),
		"wide table":      row(12*most/100, "a") + row(12*most/100, "-") + strings.Repeat("|\n", most/4),
		"table":           row(side, "a") + row(side, "-") + strings.Repeat("|\n", side),
		"tables":          fill("|a|\n|-|\n|b|\n\n"),
		"fences":          fill("```\n~~~\n"),
		"definitions":     fill("[a]: b\n"),
		"headings":        fill("a\n=\n"),
		"quotes by tab":   fill(">\t"),
		"quoted items":    fill("> - "),
		"ticks":           fill("`"),
		"escaped ticks":   fill("\\``\n"),
		"ticks in quotes": fill("\\``\n> "),
		"ticks and rules": fill("]\\``---\n"),
		"half a link":     fill("]([**"),
		"entity links":    fill("&]((#["),
		"overrides":       fill("\u202ea\u2066"),
		"no width":        fill("a\u200b"),
		"marks":           "a" + fill("\u0301"),
		"open fence":      "```" + fill("x\n"),
		"one long word":   fill("W"),
		"dollars":         fill("$"),
		"formulas":        fill("$x$ "),
		"half formulas":   fill("$a "),
		"prices":          fill("$5 aa$ "),
		"displays":        fill("$$\na\n"),
		"half displays":   fill("$$ a\n\n"),
		"escaped dollars": "$" + fill("\\$"),
		"braces":          "$" + fill("{") + "$",
		"products":        fill("a*"),
		"pointers":        fill("*a b*b "),
		"names":           fill("__a__"),
		"half names":      fill("__a"),
		"calls":           fill("a[i](x)"),
		"numbered":        fill("9.\n1.\n"),
		"indented":        fill("a\n\t"),
		"tabs":            "a\n" + fill("\t") + "b",
		"short lines":     fill("a\n"),
	}
}

// A text that takes a parser or a browser long is shown as typed, without delay.
func TestBombs(t *testing.T) {
	t.Parallel()
	for name, source := range bombs(10_000) {
		t.Run(name, func(t *testing.T) {
			doc, took := quickest(source)
			require.LessOrEqual(t, took, longest)
			requireBounded(t, source, doc)
		})
	}
}

// A list is a ul around li elements, and a table's cell lies in five elements.
const maxElements = 2*maxNesting + 6

func requireBounded(t require.TestingT, source string, doc Document) {
	require.LessOrEqual(t, len(doc.HTML), maxHTMLOf(source)+len(tooLong))
	require.LessOrEqual(t, depthOf(doc.HTML), maxElements)
}

// marks are Markdown's marks, with words and links to put between them.
var marks = []string{
	"> ", "- ", "1. ", "- [ ] ", "  ", "    ", "\n", "\n\n", "*", "**", "~~", "`", "```\n", "[a]", "[a]: https://example.org/xxxxxxxxxxxxxxxxxxxxxxxx\n",
	"![a](b)", "[a](https://a.b)", "www.a.b ", "a@b.c ", "@[a](user:x)", "|", "|-|-|\n", "|a|b|\n", "# ", "\\", "$", "$$", "\t", "7. ", "_", "&amp;", "<", "\"", "a", "é ", "---\n",
}

// The length of a text bounds the HTML of everything that users can compose from
// Markdown's marks.
func TestHTMLIsBoundedByTheSource(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom(marks)
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(piece, 1, 40).Draw(t, "pieces"), "")
		source = strings.Repeat(source, rapid.IntRange(1, 100).Draw(t, "times"))
		if len(source) > 10_000 {
			source = strings.ToValidUTF8(source[:10_000], "")
		}
		requireBounded(t, source, Render(source, 3))
	})
}

func TestTextsBeyondABoundAreShownAsTyped(t *testing.T) {
	t.Parallel()
	nested := func(depth int) string { return strings.Repeat("> ", depth) + "a" }
	require.Equal(t, strings.Repeat("<blockquote>\n", 8)+"<p>a</p>\n"+strings.Repeat("</blockquote>\n", 8), Render(nested(8), 3).HTML)
	require.Equal(t, "<p>"+strings.Repeat("&gt; ", 9)+"a</p>\n"+tooDeep, Render(nested(9), 3).HTML)
	require.Contains(t, Render("[a]: https://example.org/"+strings.Repeat("x", 1000)+"\n\n"+strings.Repeat("[a]", 20), 3).HTML, tooLong)
	require.Contains(t, Render(strings.Repeat("[a](https://a.b) ", 500), 3).HTML, `<a href="https://a.b"`, "links of ordinary length are shown")
}

// quickest renders a text until it takes no longer than longest, a few times at most: other load on the machine does
// not count.
func quickest(source string) (doc Document, took time.Duration) {
	took = time.Hour
	for i := 0; i < 20 && took > longest; i++ {
		begun := time.Now()
		doc = Render(source, 3)
		took = min(took, time.Since(begun))
	}
	return doc, took
}

// stairs returns deeply nested lists.
func stairs(most int) string {
	var b strings.Builder
	for i := 0; b.Len() < most; i++ {
		fmt.Fprintf(&b, "%s- a\n", strings.Repeat("  ", i))
	}
	return b.String()
}

// backticks returns runs of which none closes another.
func backticks(most int) string {
	var b strings.Builder
	for i := 1; b.Len() < most; i++ {
		b.WriteString("a" + strings.Repeat("`", i))
	}
	return b.String()
}

// depthOf returns the depth of nested elements.
func depthOf(html string) (deepest int) {
	depth := 0
	for i := range len(html) - 1 {
		if html[i] != '<' || strings.HasPrefix(html[i:], "<br") || strings.HasPrefix(html[i:], "<hr") {
			continue
		}
		if html[i+1] == '/' {
			depth--
		} else {
			depth++
		}
		deepest = max(deepest, depth)
	}
	return deepest
}

func BenchmarkRender(b *testing.B) {
	const source = "Thank you for *this*. I tried [the second part](https://example.org/a) and wonder:\n\n- does `x` hold?\n- and **why**?\n\n@[Ada](user:a1)"
	for b.Loop() {
		Render(source, 3)
	}
}

// BenchmarkMostExpensiveTexts reports the largest ratio of HTML to text, the longest time
// and the most memory that one of 10,000 random and 200 chosen texts takes:
//
//	go test ./internal/markdown -run '^$' -bench MostExpensiveTexts -benchtime 1x
//
// The ratio is that of texts long enough for maxGrowth to bound them.
func BenchmarkMostExpensiveTexts(b *testing.B) {
	sources := map[string]string{}
	for _, most := range []int{300, 1000, 2500, 5000, 10_000} {
		for name, source := range bombs(most) {
			sources[fmt.Sprint(name, " ", most)] = source
		}
	}
	require.GreaterOrEqual(b, len(sources), 200)
	random := rand.New(rand.NewPCG(1, 2)) // the same texts each time
	for n := range 10_000 {
		var source strings.Builder
		for range 1 + random.IntN(40) {
			source.WriteString(marks[random.IntN(len(marks))])
		}
		text := strings.Repeat(source.String(), 1+random.IntN(100))
		sources[fmt.Sprint("random ", n)] = strings.ToValidUTF8(text[:min(len(text), 10_000)], "")
	}
	ratio, took, allocated := most{}, most{}, most{}
	for b.Loop() {
		for name, source := range sources {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begun := time.Now()
			doc := Render(source, 3)
			once := time.Since(begun)
			runtime.ReadMemStats(&after)
			allocated.take(name, float64(after.TotalAlloc-before.TotalAlloc))
			if len(source) >= alwaysFits/maxGrowth {
				ratio.take(name, float64(len(doc.HTML))/float64(len(source)))
			}
			if float64(once) > took.value { // unless other load on the machine delayed it
				_, again := quickest(source)
				took.take(name, float64(min(once, again)))
			}
		}
	}
	require.LessOrEqual(b, time.Duration(took.value), longest, took.of)
	b.ReportMetric(ratio.value, "max-ratio")
	b.ReportMetric(took.value, "max-ns")
	b.ReportMetric(allocated.value, "max-B-allocated")
	b.Logf("of %d texts: ratio %s, time %s, memory %s", len(sources), ratio.of, took.of, allocated.of)
}

// most is the largest value seen and the name of its text.
type most struct {
	value float64
	of    string
}

func (m *most) take(name string, value float64) {
	if value > m.value {
		*m = most{value, name}
	}
}
