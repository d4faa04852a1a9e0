package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"rig.example/rig/internal/kit/version"
)

// manCmd prints rig(1) in roff's macros for manual pages, made from the definitions of the commands.
type manCmd struct{}

func (*manCmd) Run(s *streams, ctx *kong.Context) error {
	p := &manual{}
	p.macro(".TH", "RIG", "1", "", version.Current().Version, "User Commands")
	p.macro(".SH", "NAME")
	p.text("rig - " + strings.TrimSuffix(strings.TrimPrefix(ctx.Model.Help, "A "), "."))
	p.macro(".SH", "SYNOPSIS")
	p.text("rig COMMAND [flags]")
	p.macro(".SH", "DESCRIPTION")
	p.text("rig reads a steering wheel and pedals, simulates a car, sends torque to the rim, moves a motion platform and draws the road. " +
		"Software is not a safety function: a platform and a direct-drive wheel need a hardware emergency stop.")
	p.macro(".SH", "OPTIONS")
	p.text("Every command has these.")
	p.flags(ctx.Model.Flags)
	p.macro(".SH", "COMMANDS")
	for _, command := range ctx.Model.Leaves(true) {
		p.command(command)
	}
	for _, section := range manualSections {
		p.macro(".SH", section.title)
		p.entries(section.entries)
	}
	p.macro(".SH", "SEE ALSO")
	p.text("The guides and the reference of all keys, circuits and cars: /usr/share/doc/rig, or the folder docs of the source.")
	_, err := io.WriteString(s.out, p.b.String())
	return err
}

// manual is the text of a manual page.
type manual struct{ b strings.Builder }

// roffEscaper makes text plain for roff, except at the start of a line. A hyphen is a minus, so that flags can be copied.
var roffEscaper = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ")

// macro writes a macro and its arguments.
func (p *manual) macro(name string, args ...string) {
	p.b.WriteString(name)
	for _, a := range args {
		fmt.Fprintf(&p.b, ` "%s"`, roffEscaper.Replace(strings.ReplaceAll(a, `"`, "''")))
	}
	p.b.WriteByte('\n')
}

// text writes a paragraph on a line of its own.
func (p *manual) text(text string) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		p.b.WriteString(`\&`) // no macro
	}
	p.b.WriteString(roffEscaper.Replace(text) + "\n")
}

// entry is a word and what it means.
type entry struct{ name, text string }

// entries writes words, each with its meaning below it.
func (p *manual) entries(list []entry) {
	for _, t := range list {
		p.b.WriteString(".TP\n.B ")
		p.text(t.name)
		p.text(t.text)
	}
}

// flags writes flags with their help, without hidden ones.
func (p *manual) flags(list []*kong.Flag) {
	for _, f := range list {
		if name := f.String(); !f.Hidden {
			if f.Tag.Negatable != "" {
				name = strings.Replace(name, "--", "--[no-]", 1)
			}
			if f.IsBool() && f.PlaceHolder != "" {
				name += "[=" + f.PlaceHolder + "]"
			}
			p.entries([]entry{{name, f.Help}})
		}
	}
}

// command writes what a command does, its arguments and its flags.
func (p *manual) command(c *kong.Node) {
	p.macro(".SS", "rig "+c.Summary())
	p.text(c.Help)
	if c.Detail != "" {
		p.b.WriteString(".PP\n")
		p.text(c.Detail)
	}
	for _, a := range c.Positional {
		p.entries([]entry{{a.Summary(), a.Help}})
	}
	for parent := c; parent.Parent != nil; parent = parent.Parent {
		p.flags(parent.Flags)
	}
}
