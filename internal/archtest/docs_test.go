package archtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var write = flag.Bool("write", false, "write the tables of contents of the documents anew")

const (
	maxWords = 4500 // of a page that people write
	maxFront = 900  // of README.md, which is to fit on two screens
	// Two screens, in lines or in words; a page with more of either has a table of contents.
	longPage, longText = 100, 800
	beginList          = "<!-- contents -->\n"
	endList            = "<!-- end -->\n"
)

var (
	generated = regexp.MustCompile(`(?s)<!-- [a-z-]+ -->\n.*?<!-- end -->\n`)
	codeBlock = regexp.MustCompile("(?s:```.*?```)|(?m:^(?:    .*\n)+)")
	headings  = regexp.MustCompile(`(?m)^(##) (.+)$`)
	links     = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// documents returns the paths of all pages, relative to this package's folder.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 10 {
		t.Fatalf("found only %d pages", len(all))
	}
	return all
}

// slug returns the anchor that a Markdown renderer gives to a heading.
func slug(heading string) string {
	plain := links.ReplaceAllString(heading, "$1")
	plain = notInSlug.ReplaceAllString(strings.ToLower(plain), "")
	return strings.ReplaceAll(plain, " ", "-")
}

// contents returns the table of contents of a page: a link to each heading of the second level.
func contents(page string) string {
	var b strings.Builder
	for _, h := range headings.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
		fmt.Fprintf(&b, "- [%s](#%s)\n", links.ReplaceAllString(h[2], "$1"), slug(h[2]))
	}
	return b.String()
}

// withContents returns the page with a new table of contents. It returns false if the page has none.
func withContents(page string) (string, bool) {
	before, rest, found := strings.Cut(page, beginList)
	_, after, closed := strings.Cut(rest, endList)
	if !found || !closed {
		return page, false
	}
	return before + beginList + "\n" + contents(after) + "\n" + endList + after, true
}

// isLong reports whether a page fills more than two screens.
func isLong(page string) bool {
	return strings.Count(page, "\n") > longPage || len(strings.Fields(page)) > longText
}

func TestLongPagesHaveATableOfContents(t *testing.T) {
	for _, path := range documents(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, has := withContents(string(data))
		switch {
		case !has && isLong(string(data)) && filepath.Base(path) != "CHANGELOG.md":
			t.Errorf("%s has more than %d lines or %d words and no table of contents: put %q and %q below its first paragraph, then go test ./internal/archtest -run Contents -write",
				path, longPage, longText, strings.TrimSpace(beginList), strings.TrimSpace(endList))
		case has && want != string(data) && *write:
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		case has && want != string(data):
			t.Errorf("%s: its table of contents is not that of its headings: go test ./internal/archtest -run Contents -write", path)
		}
	}
}

func TestPagesWrittenByHandAreShort(t *testing.T) {
	for _, path := range documents(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		limit := maxWords
		switch {
		case filepath.Base(path) == "CHANGELOG.md" || filepath.Base(filepath.Dir(path)) == "reference":
			continue
		case path == filepath.Join("..", "..", "README.md"):
			limit = maxFront
		}
		if n := len(strings.Fields(string(data))); n > limit {
			t.Errorf("%s has %d words, at most %d are allowed: split it by what readers come for", path, n, limit)
		}
	}
}

// Every page of docs is reached from docs/README.md, by a link of that page itself.
func TestTheIndexLinksEveryPage(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	index, err := os.ReadFile(filepath.Join(docs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range documents(t) {
		name, err := filepath.Rel(docs, path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, "..") && name != "README.md" && !strings.Contains(string(index), "]("+name) {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}

// No row of a table, and no line of a list or a block, stands on two pages: one of them links to the other.
func TestNoFactStandsTwice(t *testing.T) {
	const short = 60 // letters; shorter lines may be alike by chance
	on := map[string]string{}
	for _, path := range documents(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) == "CHANGELOG.md" || filepath.Base(filepath.Dir(path)) == "reference" {
			continue
		}
		for line := range strings.Lines(generated.ReplaceAllString(string(data), "")) {
			line = strings.Trim(line, "| \n")
			if len(line) < short {
				continue
			}
			if other, found := on[line]; found && other != path {
				t.Errorf("%s and %s both say %q: keep one, and link to it", other, path, line)
			}
			on[line] = path
		}
	}
}

func TestAContentsTableLinksEachHeading(t *testing.T) {
	page := "# T\n\n" + beginList + endList + "\n## One `rig ffb`: more\n\n    ## code\n\n### Deeper\n\n## [Two](x.md), too\n"
	got, ok := withContents(page)
	want := "# T\n\n" + beginList + "\n- [One `rig ffb`: more](#one-rig-ffb-more)\n- [Two, too](#two-too)\n\n" + endList + "\n## One `rig ffb`: more\n\n    ## code\n\n### Deeper\n\n## [Two](x.md), too\n"
	if !ok || got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLinksBetweenPagesResolve(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	anyHeading := regexp.MustCompile(`(?m)^#+ (.+)$`)
	anchors := map[string]map[string]bool{}
	anchorsOf := func(path string) map[string]bool {
		if anchors[path] == nil {
			anchors[path] = map[string]bool{}
			data, _ := os.ReadFile(path) // a missing page is reported by its link
			for _, h := range anyHeading.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(data), ""), -1) {
				anchors[path][slug(h[1])] = true
			}
		}
		return anchors[path]
	}
	for _, path := range documents(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(data), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which does not exist", path, m[1])
			} else if anchor != "" && !anchorsOf(to)[anchor] {
				t.Errorf("%s links to %s: %s has no such heading", path, m[1], to)
			}
		}
	}
}

// Messages, units and scripts name pages that exist.
func TestPagesThatAreNamedExist(t *testing.T) {
	named := regexp.MustCompile(`docs/[a-z/-]+\.(md|png|svg)`)
	for _, rel := range filesNamed(t, ".go", ".toml", ".service", ".sh", ".md") {
		data, err := os.ReadFile(filepath.Join("..", "..", rel))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range named.FindAllString(string(data), -1) {
			if _, err := os.Stat(filepath.Join("..", "..", page)); err != nil {
				t.Errorf("%s names %s, which does not exist", rel, page)
			}
		}
	}
}
