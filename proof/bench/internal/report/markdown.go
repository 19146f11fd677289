package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Markdown formats the results for readers.
func (r *Results) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Serving, side by side, %s assignments\n\n", thousands(float64(r.Size)))
	fmt.Fprintf(&b, "%s, StudyCircle %s. Medians of %d rounds of %g s, servers taking turns; 64 clients where the "+
		"column does not say otherwise.\n",
		r.When.Format(time.DateOnly), r.Version, r.Rounds, r.Seconds)
	fmt.Fprintf(&b, "How it is measured and how to read it: [bench/README.md](../README.md).\n\n")
	fmt.Fprintf(&b, "Machine: %s, %d cores, %.0f GB, Linux %s, %s. Noise: load average %.1f before, %.1f after; the "+
		"floor's rounds differ by %.0f %% in the middle row, by %.0f %% in the worst; the machine's host took %.0f %% of "+
		"the processors' time.\n\n",
		r.Machine.CPU, r.Machine.Cores, float64(r.Machine.Memory)/(1<<30), r.Machine.Kernel, r.Machine.Go,
		r.Noise.LoadBefore, r.Noise.LoadAfter, 100*r.Noise.FloorSpread, 100*r.Noise.FloorWorst, 100*r.Noise.Stolen)
	r.table(&b)
	r.rest(&b)
	r.goalTable(&b)
	r.growth(&b)
	return b.String()
}

func (r *Results) table(b *strings.Builder) {
	b.WriteString("| what | who | clients | requests/s | ÷ floor | ÷ PocketBase | p50 | p99 | CPU µs | errors |\n")
	b.WriteString("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, row := range r.Rows {
		title := row.Title + " (`" + row.Name + "`)"
		for _, name := range Order {
			m, measured := row.Measures[name]
			if !measured {
				continue
			}
			rate := "–"
			if m.Rate > 0 {
				rate = thousands(m.Rate)
			}
			fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s | %s | %s | %s | %d |\n", title, Names[name], m.Clients, rate,
				ratio(row.Ratio(name, Floor)), ratio(row.Ratio(name, PocketBase)), micros(m.P50), micros(m.P99), thousands(m.CPU),
				m.Errors)
			title = ""
		}
	}
	b.WriteString("\n")
}

func (r *Results) rest(b *strings.Builder) {
	for _, row := range r.Rows {
		if of := row.Ratio(SQLite, Nginx); of > 0 {
			fmt.Fprintf(b, "- %s: StudyCircle ÷ nginx %s.\n", row.Title, ratio(of))
		}
		if row.SyncRate == 0 {
			continue
		}
		fmt.Fprintf(b, "- %s: the disk took %s fdatasyncs/s in the same minute;", row.Title, thousands(row.SyncRate))
		for _, name := range Order {
			if m := row.Measures[name]; m.Rate > 0 {
				fmt.Fprintf(b, " %s %.2f rows for each,", Names[name], m.Rate/row.SyncRate)
			}
		}
		text := strings.TrimSuffix(b.String(), ",")
		b.Reset()
		b.WriteString(text + ".\n")
	}
	if len(r.Memory) > 0 {
		b.WriteString("- Memory (RssAnon, peak of the whole run):")
		for i, name := range slices.DeleteFunc(
			slices.Clone(Order), func(name string) bool { return r.Memory[name].Program == 0 },
		) {
			if i > 0 {
				b.WriteString(",")
			}
			m := r.Memory[name]
			fmt.Fprintf(b, " %s %.0f MB", Names[name], float64(m.Program)/(1<<20))
			if m.All > m.Program {
				fmt.Fprintf(b, " (and its database's processes %.0f MB)", float64(m.All-m.Program)/(1<<20))
			}
		}
		b.WriteString(".\n")
	}
	if r.Start > 0 {
		fmt.Fprintf(b, "- Start to first answer, SQLite: %.0f ms.\n", r.Start)
	}
	b.WriteString("\n")
}

func (r *Results) growth(b *strings.Builder) {
	if len(r.Growth) == 0 {
		return
	}
	all := map[int]bool{}
	for _, g := range r.Growth {
		for size := range g.Sizes {
			all[size] = true
		}
	}
	sizes := slices.Sorted(maps.Keys(all))
	b.WriteString("## Growth\n\nA single client: p50, and processor time of a request, both in µs.\n\n| what | on |")
	line := "\n| --- | --- |"
	for _, size := range sizes {
		fmt.Fprintf(b, " %s: p50 | CPU |", thousands(float64(size)))
		line += " --: | --: |"
	}
	b.WriteString(" p50, largest ÷ smallest | CPU |" + line + " --: | --: |\n")
	for _, g := range r.Growth {
		fmt.Fprintf(b, "| %s | %s |", g.Title, short(g.Server))
		for _, size := range sizes {
			if one, measured := g.Sizes[size]; measured {
				fmt.Fprintf(b, " %s | %s |", thousands(one.P50), thousands(one.CPU))
			} else {
				b.WriteString(" – | – |")
			}
		}
		first, last := g.Sizes[sizes[0]], g.Sizes[sizes[len(sizes)-1]]
		fmt.Fprintf(b, " %s | %s |\n", over(last.P50, first.P50), over(last.CPU, first.CPU))
	}
}

func over(a, b float64) string {
	if b == 0 {
		return "–"
	}
	return ratio(a / b)
}

// thousands formats a figure with its significant digits.
func thousands(f float64) string {
	switch {
	case f < 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	case f < 1000:
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	digits := strconv.FormatFloat(f, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func ratio(f float64) string {
	switch {
	case f == 0:
		return "–"
	case f < 0.01:
		return strconv.FormatFloat(f, 'g', 1, 64)
	case f < 10:
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	return thousands(f)
}

// micros formats a time in microseconds with its unit.
func micros(f float64) string {
	switch {
	case f < 1000:
		return strconv.FormatFloat(f, 'f', 0, 64) + " µs"
	case f < 100_000:
		return strconv.FormatFloat(f/1000, 'f', 1, 64) + " ms"
	}
	return strconv.FormatFloat(f/1e6, 'f', 2, 64) + " s"
}
