package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func manualPage(t *testing.T) string {
	t.Helper()
	status, page, errs := rigCommand(t, "man")
	if status != exitDone || errs != "" {
		t.Fatalf("status %d, %q", status, errs)
	}
	return page
}

func TestTheManualHasEveryCommandAndFlag(t *testing.T) {
	page := strings.ReplaceAll(manualPage(t), `\-`, "-")
	sections := regexp.MustCompile(`(?m)^\.SS "(.*)"$`).FindAllStringSubmatchIndex(page, -1)
	of := map[string]string{} // text of each command
	for i, at := range sections {
		end := strings.Index(page, ".SH \"EXIT STATUS\"")
		if i+1 < len(sections) {
			end = sections[i+1][0]
		}
		of[page[at[2]:at[3]]] = page[at[1]:end]
	}
	leaves := model().Leaves(true)
	if len(of) != len(leaves) || len(leaves) < 40 {
		t.Errorf("%d commands in the page, %d in the program", len(of), len(leaves))
	}
	for _, command := range leaves {
		text, there := of["rig "+command.Summary()]
		if !there || !strings.Contains(text, "\n"+command.Help+"\n") {
			t.Errorf("%s is not in the page", command.FullPath())
		}
		for _, f := range command.Flags {
			name := "--" + f.Name
			if f.Tag.Negatable != "" {
				name = "--[no-]" + f.Name
			}
			if in := regexp.MustCompile(`(?m)^\.B .*`+regexp.QuoteMeta(name)+`\b`).MatchString(text) && strings.Contains(text, "\n"+f.Help+"\n"); in == f.Hidden {
				t.Errorf("%s %s: hidden %t, in the page %t", command.FullPath(), name, f.Hidden, in)
			}
		}
	}
	for _, section := range []string{"NAME", "SYNOPSIS", "OPTIONS", "COMMANDS", "EXIT STATUS", "SIGNALS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"} {
		if !strings.Contains(page, "\n.SH \""+section+"\"\n") {
			t.Errorf("no section %s", section)
		}
	}
}

// What looks like a macro in a text must not become one.
func TestTheManualEscapesWhatRoffReads(t *testing.T) {
	var p manual
	p.text(".fi in 'C:\\x' -1\nnext")
	p.text("'quoted")
	p.macro(".SS", `a "b" -c`)
	const want = `\&.fi in 'C:\ex' \-1 next` + "\n" + `\&'quoted` + "\n" + `.SS "a ''b'' \-c"` + "\n"
	if p.b.String() != want {
		t.Errorf("got %q, want %q", p.b.String(), want)
	}
}

func TestTheManualIsGoodRoff(t *testing.T) {
	checked := false
	for _, checker := range [][]string{{"groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z"}, {"mandoc", "-Tlint", "-Wwarning"}} {
		if _, err := exec.LookPath(checker[0]); err != nil {
			continue
		}
		checked = true
		cmd := exec.Command(checker[0], checker[1:]...)
		cmd.Stdin = strings.NewReader(manualPage(t))
		out, _ := cmd.CombinedOutput()
		for line := range strings.Lines(string(out)) {
			if !strings.Contains(line, "missing date") { // with one, two builds would differ
				t.Errorf("%s: %s", checker[0], line)
			}
		}
	}
	if !checked {
		t.Skip("neither groff nor mandoc is installed")
	}
}
