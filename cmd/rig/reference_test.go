package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// `go test ./cmd/rig -run CommandReference -write` writes the page anew.
var write = flag.Bool("write", false, "write docs/reference/commands.md")

const commandReference = "../../docs/reference/commands.md"

// commandPage returns what holds for all commands, and the help of each.
func commandPage(t *testing.T) string {
	t.Helper()
	t.Setenv("COLUMNS", "80") // the width of the help
	var list, pages strings.Builder
	for _, section := range manualSections {
		if section.title == "EXAMPLES" {
			continue
		}
		title := section.title[:1] + strings.ToLower(section.title[1:])
		fmt.Fprintf(&list, "- [%s](#%s)\n", title, strings.ReplaceAll(strings.ToLower(title), " ", "-"))
		fmt.Fprintf(&pages, "\n## %s\n\n| | |\n|---|---|\n", title)
		for _, e := range section.entries {
			fmt.Fprintf(&pages, "| `%s` | %s |\n", strings.ReplaceAll(e.name, ", ", "`, `"), e.text)
		}
	}
	for _, node := range model().Leaves(true) {
		name := node.FullPath()
		name, _, _ = strings.Cut(name, " <")
		name, _, _ = strings.Cut(name, " [")
		_, help, errs := rigCommand(t, append(strings.Fields(name)[1:], "--help")...)
		if errs != "" {
			t.Errorf("%s --help: %s", name, errs)
		}
		fmt.Fprintf(&list, "- [%s](#%s)\n", name, strings.ReplaceAll(name, " ", "-"))
		fmt.Fprintf(&pages, "\n## %s\n\n```text\n%s\n```\n", name, strings.TrimSpace(withoutCommonFlags(help)))
	}
	return fmt.Sprintf(`# Commands

This page is generated from the commands' own help by `+"`go test ./cmd/rig -run CommandReference -write`"+`.
Every command also takes `+"`--help`, `--verbose` and `--version`"+`.

<!-- contents -->

%s
<!-- end -->
%s`, list.String(), pages.String())
}

// withoutCommonFlags returns a help without the flags that every command has.
func withoutCommonFlags(help string) string {
	var b strings.Builder
	skip := false
	for line := range strings.Lines(help) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		switch {
		case name == "-h, --help", name == "-v, --verbose", name == "--version":
			skip = true
		case !skip || strings.TrimSpace(line) != "":
			skip = false
			b.WriteString(line)
		default: // the empty line after the common flags
			skip = false
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(b.String()), "\n\nFlags:")
}

func TestCommandReferenceIsGenerated(t *testing.T) {
	want := commandPage(t)
	if *write {
		if err := os.WriteFile(commandReference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(commandReference)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/reference/commands.md differs from the commands' help; run `go test ./cmd/rig -run CommandReference -write`")
	}
}
