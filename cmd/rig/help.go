package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// helpGroups are the groups of commands in the help, by what a user wants.
var helpGroups = []kong.Group{
	{Key: "drive", Title: "Drive"},
	{Key: "setup", Title: "Set up"},
	{Key: "session", Title: "Together"},
	{Key: "look", Title: "Analyse"},
	{Key: "simulate", Title: "Simulate"},
	{Key: "measure", Title: "Measure"},
	{Key: "other", Title: "Other"},
}

// newParser returns the parser of the command line. exit is called when help or the version has been printed.
func newParser(c *commands, out, errs io.Writer, exit func(status int)) *kong.Kong {
	parser, err := kong.New(c, kong.Name("rig"), kong.Writers(out, errs), kong.Exit(exit),
		kong.Description("A hardware-in-the-loop driving rig controller."),
		kong.ExplicitGroups(helpGroups), kong.Help(printHelp), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		panic(err) // a tag of the command structs is malformed
	}
	return parser
}

// printHelp prints the help of a command, or one screen about all of them.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if command := ctx.Selected(); command != nil {
		for ; command != nil; command = command.Parent {
			command.Group = nil // its own commands are in no group
		}
		return kong.DefaultHelpPrinter(options, ctx)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: rig COMMAND [flags]\n\n%s\n\n", ctx.Model.Help)
	for _, group := range helpGroups {
		title := group.Title
		for _, command := range ctx.Model.Children {
			if !command.Hidden && command.Group != nil && command.Group.Key == group.Key {
				fmt.Fprintf(&b, "%-9s  %-10s  %s\n", title, command.Name, command.Help)
				title = ""
			}
		}
	}
	b.WriteString("\nTry `rig run --demo`: it needs no hardware. More: `rig help COMMAND`, `man rig`.\n")
	_, err := io.WriteString(ctx.Stdout, b.String())
	return err
}

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"Command, such as run or motion home. Without it: one screen about all commands."`
}

func (c *helpCmd) Run(ctx *kong.Context) error {
	for i, node := 0, ctx.Model.Node; i < len(c.Command); i++ {
		if node = childNamed(node, c.Command[i]); node == nil {
			_, err := ctx.Kong.Parse(c.Command[:i+1]) // its error names the nearest command
			return wrongUsage(err)
		}
	}
	_, _ = ctx.Kong.Parse(append(c.Command, "--help")) // an error is about what the command needs; only its help is asked for
	return nil
}

// childNamed returns the command below node that has this name, or nil.
func childNamed(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}
