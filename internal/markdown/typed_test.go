package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line that is broken stays broken, in everything that holds text.
func TestLineBreaksStay(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		// Artemis: ls1intum/Artemis#3035, "Line breaks in the additional feedback are lost".
		"Good:\nthe plan\nBad:\nthe end": "<p>Good:<br>\nthe plan<br>\nBad:<br>\nthe end</p>\n",
		// MarkUs: MarkUsProject/Markus#2320, "Remark requests don't preserve newlines".
		"12 Main St\nSpringfield\n\nUSA":    "<p>12 Main St<br>\nSpringfield</p>\n<p>USA</p>\n",
		"Roses are red,  \nviolets\\\nblue": "<p>Roses are red,<br>\nviolets<br>\nblue</p>\n",
		"*a\nb*":                            "<p><em>a<br>\nb</em></p>\n",
		"[a\nb](https://c.d)":               `<p><a href="https://c.d" rel="nofollow ugc noopener">a<br>` + "\nb</a></p>\n",
		"- one\n  two\n- three":             "<ul>\n<li>one<br>\ntwo</li>\n<li>three</li>\n</ul>\n",
		"> a\n> b\nc":                       "<blockquote>\n<p>a<br>\nb<br>\nc</p>\n</blockquote>\n",
		"`a\nb`":                            "<p><code>a b</code></p>\n", // a space in CommonMark: code within a line has one line
	} {
		require.Equal(t, want, Render(source, 3).HTML, source)
	}
}

// blank is a blank that browsers show at the beginning of a line.
const blank = "\u00a0"

func TestLeadingBlanksStay(t *testing.T) {
	t.Parallel()
	four := strings.Repeat(blank, 4)
	for source, want := range map[string]string{
		// Submitty: Submitty/Submitty#9539; edX: mitocw/edx-platform#131, Python in peer reviews.
		"def f(x):\n    if x:\n\treturn 1": "<p>def f(x):<br>\n" + four + "if x:<br>\n" + four + "return 1</p>\n",
		// Artemis: ls1intum/Artemis#1720, a proof whose steps are indented.
		"Proof\n  To show:\n      xs .=. xs\nQED": "<p>Proof<br>\n" + blank + blank + "To show:<br>\n" + four + blank + blank + "xs .=. xs<br>\nQED</p>\n",
		" one":                            "<p>" + blank + "one</p>\n",
		"a\n  *b*":                        "<p>a<br>\n" + blank + blank + "<em>b</em></p>\n",
		"a\\\n  b":                        "<p>a<br>\n" + blank + blank + "b</p>\n",
		"- a\n  b\n    c":                 "<ul>\n<li>a<br>\nb<br>\n" + blank + blank + "c</li>\n</ul>\n",
		"> a\n>   b":                      "<blockquote>\n<p>a<br>\n" + blank + blank + "b</p>\n</blockquote>\n",
		"    x = 1\n        y = 2":        "<pre><code>x = 1\n    y = 2\n</code></pre>\n",
		"```\n  a\n    b\n```":            "<pre><code>  a\n    b\n</code></pre>\n",
		strings.Repeat("> ", 9) + "\n  a": "<p>" + strings.Repeat("&gt; ", 9) + "<br>\n" + blank + blank + "a</p>\n" + tooDeep,
	} {
		require.Equal(t, want, Render(source, 3).HTML, source)
	}
}

// Signs of calculations and code show as typed.
func TestSignsOfCodeStay(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"2*x*y", "2 * x * y", "a*b*c and d*e*f", "π*r*r", "(a)*(b)*(c)", "f(x)*g(x)*h(x)", "2**x**y", "*p = a*b", "x *= 2; y *= 3",
		"__init__", "__init__.py and self.__dict__", "__name__ == __main__", "def __init__(self, a_b):", "_my_var_", "a_1, a_2, b_{1} + c_{2}",
		"{x}_{1} + {y}_{2}",
		"def f(*args, **kwargs): return x**2", "int *p, **q; r = *p * *q", "**argv, char* s", "-*- coding: utf-8 -*-", "src/*.go and test/*.go",
		"*.o, *.a", "count(*), sum(*)", "arr[i](x) + fns[0](y)", "map[string](int)", "C:\\dir\\file",
		// Streamdown: vercel/streamdown#445; the tilde of ranges, "about" and home directories.
		"20~25°C。20~25°C", "~5 to ~10", "cp ~/a ~/b", "H~2~O",
	} {
		require.Equal(t, "<p>"+source+"</p>\n", Render(source, 3).HTML)
		require.Equal(t, source, Plain(source))
	}
}

// What users mean as emphasis still is.
func TestEmphasisStays(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"*a* **b** ***c*** _d_ __e f__": "<em>a</em> <strong>b</strong> <em><strong>c</strong></em> <em>d</em> <strong>e f</strong>",
		"**A**nswer, *B*ee":             "<strong>A</strong>nswer, <em>B</em>ee",
		"(*a*) \"*b*\" *c*, **d:** e":   "(<em>a</em>) &#34;<em>b</em>&#34; <em>c</em>, <strong>d:</strong> e",
		"**重要**です。这是*强调*文字":             "<strong>重要</strong>です。这是<em>强调</em>文字",
		"**두 단어**를":                     "<strong>두 단어</strong>를",
		"*two words* and __Größe__":     "<em>two words</em> and <strong>Größe</strong>",
		"*2*x = **3**":                  "<em>2</em>x = <strong>3</strong>",
		"~~gone~~ ~~20~25~~":            "<del>gone</del> <del>20~25</del>",
		"*a **b** c*":                   "<em>a <strong>b</strong> c</em>",
		"\\*a\\*":                       "*a*",
	} {
		require.Equal(t, "<p>"+want+"</p>\n", Render(source, 3).HTML, source)
	}
}

func TestFormulas(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"$a_k = b_k$ and $c_k$":    "<p><var>$a_k = b_k$</var> and <var>$c_k$</var></p>\n",
		"$x*y*z$, $n$th, $n$-fold": "<p><var>$x*y*z$</var>, <var>$n$</var>th, <var>$n$</var>-fold</p>\n",
		"($x$) $\\$5$ 公式$x$是":      "<p>(<var>$x$</var>) <var>$\\$5$</var> 公式<var>$x$</var>是</p>\n",
		"**so $a$**":               "<p><strong>so <var>$a$</var></strong></p>\n",
		// kramdown: gettalong/kramdown#115.
		"$$\\mathbb{Z}_{+} \\rightarrow \\mathbb{Z}_{+}$$": "<p><var>$$\\mathbb{Z}_{+} \\rightarrow \\mathbb{Z}_{+}$$</var></p>\n",
		// marked: markedjs/marked#544.
		"`$A_i$` $A_i, A_{i+1}$":           "<p><code>$A_i$</code> <var>$A_i, A_{i+1}$</var></p>\n",
		"$a <b> & \"c\"$":                  "<p><var>$a &lt;b&gt; &amp; &#34;c&#34;$</var></p>\n",
		"$a\n= b$":                         "<p><var>$a\n= b$</var></p>\n",
		"So\n$$\na\n- b \\\\\n= c\n$$\nis": "<p>So</p>\n<p><var>$$\na\n- b \\\\\n= c\n$$</var></p>\n<p>is</p>\n",
		"- x\n\n  $$\n  # a\n  $$":         "<ul>\n<li>\n<p>x</p>\n<p><var>$$\n# a\n$$</var></p>\n</li>\n</ul>\n",
		"$@[Ada](user:0abc)$":              "<p><var>$@[Ada](user:0abc)$</var></p>\n",
		"|a|\n|-|\n|$b_1 + b_2$|":          `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>` + "\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><var>$b_1 + b_2$</var></td>\n</tr>\n</tbody>\n</table></div>\n",
	} {
		require.Equal(t, want, Render(source, 3).HTML, source)
	}
	require.Equal(t, "so $a_k$ is $$ x_1 $$ .", Plain("*so* $a_k$\nis\n$$\nx_1\n$$\n."))
}

// Prices and variables are no formulas.
func TestPricesAreNoFormulas(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"$5 and $10", "It costs $5.", "$20,000 and USD$30,000",
		// Typora: typora/typora-issues#3178. Quartz: jackyzha0/quartz#2208.
		"Please donate $50 to $100 to the fund.", "from $3,500 in 2022, $5,000 in 2023, to $9,000",
		// Flowershow: flowershow/flowershow#914.
		"$0.40 per credit ($25 / month) vs $0.30 per credit ($75 a month)",
		"10$, 20$ and 30$", "US$5 and US$ 10", "$5 more than 10$", "$HOME and $PATH", "a $ b $ c", "$", "$$", "$$$$", "$$ $$", "$ a$", "$a $", "$x$1",
		"$5 `a$b`", "A$1$2",
	} {
		require.NotContains(t, Render(source, 3).HTML, "<var>", source)
		require.Equal(t, strings.ReplaceAll(source, "`", ""), Plain(source))
	}
	// Zulip: zulip/zulip#16367, prices among formulas.
	require.Equal(t, "<p>profit is $5 if <var>$5 &lt; x \\le 10$</var> and $12 if <var>$x &gt; 14$</var>.</p>\n",
		Render(`profit is $5 if $5 < x \le 10$ and $12 if $x > 14$.`, 3).HTML)
	// pandoc: jgm/pandoc#2722, the sign after the number.
	require.Equal(t, "<p>bla <strong>35$</strong> bla <strong>40$</strong></p>\n", Render("bla **35$** bla **40$**", 3).HTML)
	require.NotContains(t, Render(`\$a_k\$ is \$5`, 3).HTML, "var")
}

// Numbers that are typed stay, where they do not follow one another.
func TestNumbersOfListsStay(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"3. three\n7. seven\n8. eight": "<ol start=\"3\">\n<li>three</li>\n<li value=\"7\">seven</li>\n<li>eight</li>\n</ol>\n",
		// vscode-markdown: yzhang-gh/vscode-markdown#1162.
		"1. foo\n2. bar\n4. baz": "<ol>\n<li>foo</li>\n<li>bar</li>\n<li value=\"4\">baz</li>\n</ol>\n",
		// Readdown: nataliarsand/readdown#16.
		"0. a\n1. b":       "<ol start=\"0\">\n<li>a</li>\n<li>b</li>\n</ol>\n",
		"3. c\n2. b\n1. a": "<ol start=\"3\">\n<li>c</li>\n<li value=\"2\">b</li>\n<li value=\"1\">a</li>\n</ol>\n",
		"2. a\n2. b":       "<ol start=\"2\">\n<li>a</li>\n<li value=\"2\">b</li>\n</ol>\n",
		// sharetribe: sharetribe/sharetribe#2925, a list of ones is counted.
		"1. a\n1. b\n1. c":     "<ol>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ol>\n",
		"5) a\n9) b":           "<ol start=\"5\">\n<li>a</li>\n<li value=\"9\">b</li>\n</ol>\n",
		"- 2. a\n  5. b":       "<ul>\n<li>\n<ol start=\"2\">\n<li>a</li>\n<li value=\"5\">b</li>\n</ol>\n</li>\n</ul>\n",
		"1. a\n\ntext\n\n3. b": "<ol>\n<li>a</li>\n</ol>\n<p>text</p>\n<ol start=\"3\">\n<li>b</li>\n</ol>\n",
		"See\n3. b":            "<p>See<br>\n3. b</p>\n",
	} {
		require.Equal(t, want, Render(source, 3).HTML, source)
	}
}
