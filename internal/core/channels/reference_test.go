package channels

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// `go test ./internal/core/channels -run ChannelsReference -write` writes the page anew.
var write = flag.Bool("write", false, "write docs/reference/channels.md")

const channelsReference = "../../../docs/reference/channels.md"

// channelsPage returns the page with a table for each group.
func channelsPage() string {
	var list, tables strings.Builder
	group := ""
	for _, c := range All() {
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(&list, "- [%s](#%s)\n", group, group)
			fmt.Fprintf(&tables, "\n## %s\n\n| channel | unit | what it is | MoTeC |\n|---|---|---|---|\n", group)
		}
		mark := ""
		if c.NeedsTick() {
			mark = " ★"
		}
		fmt.Fprintf(&tables, "| `%s`%s | %s | %s | %s |\n", c.Name, mark, c.Unit, c.About, c.MoTeC)
	}
	return `# Channels

This page is generated from the code by ` + "`go test ./internal/core/channels -run ChannelsReference -write`" + `. ` + "`rig channels`" + ` prints it.

Axes and signs are those of ISO 8855: x forward, y to the left, z up. A channel whose value is unknown is NaN, in tables an
empty cell. ★ marks channels of whole drives, which [manoeuvres](../maneuvers.md#channels) do not have. MoTeC is the name
that MoTeC's own loggers use. Where you may choose channels, give names, groups or patterns such as ` + "`wheel_fl_*`" + `,
separated by commas, or ` + "`all`" + `.

<!-- contents -->

` + list.String() + `
<!-- end -->
` + tables.String()
}

func TestChannelsReference(t *testing.T) {
	want := channelsPage()
	if *write {
		if err := os.WriteFile(channelsReference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(channelsReference); err != nil || string(got) != want {
		t.Errorf("docs/reference/channels.md differs from the channels (%v): go test ./internal/core/channels -run ChannelsReference -write", err)
	}
}
