package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
)

type channelsCmd struct {
	Group string `placeholder:"G" help:"List this group only, such as chassis, wheel or force."`
	JSON  bool   `name:"json" help:"Print one JSON array."`
}

func (c *channelsCmd) Run(s *streams) error {
	list := channels.All()
	if groups := channels.Groups(); c.Group != "" && !slices.Contains(groups, c.Group) {
		return &config.Problem{File: "--group", Text: fmt.Sprintf("%q not found; choose %s", c.Group, strings.Join(groups, ", "))}
	}
	list = slices.DeleteFunc(list, func(ch channels.Channel) bool { return c.Group != "" && ch.Group != c.Group })
	out := sink.Stdout("channels", s.out)
	if c.JSON {
		return printChannelsJSON(out, list)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	group := ""
	for _, ch := range list {
		if ch.Group != group {
			group = ch.Group
			fmt.Fprintf(t, "%s:\n", group)
		}
		mark := ""
		if ch.NeedsTick() {
			mark = "*"
		}
		fmt.Fprintf(t, "  %s%s\t%s\t%s\n", ch.Name, mark, ch.Unit, ch.About)
	}
	fmt.Fprintln(t, "* of whole drives only, not of manoeuvres")
	return t.Flush()
}

// printChannelsJSON prints a list of channels as a JSON array.
func printChannelsJSON(out io.Writer, list []channels.Channel) error {
	type entry struct {
		Name     string `json:"name"`
		Unit     string `json:"unit"`
		Group    string `json:"group"`
		About    string `json:"about"`
		MoTeC    string `json:"motec,omitempty"`
		Decimals int    `json:"decimals"`
		Drive    bool   `json:"needs_drive"` // a manoeuvre does not have it
	}
	entries := make([]entry, len(list))
	for i, c := range list {
		entries[i] = entry{c.Name, c.Unit, c.Group, c.About, c.MoTeC, c.Decimals, c.NeedsTick()}
	}
	return json.NewEncoder(out).Encode(entries)
}
