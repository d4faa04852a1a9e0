package main

import (
	"embed"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/lab/tirerig"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/tire"
)

// completionScripts holds a script for each shell. It calls the hidden command `rig complete` for the words of a
// line, and completes the names of files itself.
//
//go:embed completion/rig.bash completion/rig.zsh completion/rig.fish
var completionScripts embed.FS

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// Help explains how the script is installed.
func (*completionCmd) Help() string {
	return "For this shell: `source <(rig completion bash)`, the same with zsh, or `rig completion fish | source`. " +
		"For all: the package and `make install` put the scripts where the shells look for them."
}

func (c *completionCmd) Run(s *streams) error {
	script, err := completionScripts.ReadFile("completion/rig." + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(script)
	return err
}

// completeCmd prints what may stand in place of the last of Words: a value and a tab and a description on each line, and
// a line that begins with :files if the name of a file may, with the endings that it may have ("/" for a folder).
// It opens no device, reads no configuration and prints no log.
type completeCmd struct {
	Words []string `arg:"" optional:"" help:"Words of the command line behind rig."`
}

func (c *completeCmd) Run(s *streams, ctx *kong.Context) error {
	text := strings.Join(complete(ctx.Model.Node, c.Words), "\n")
	if text == "" {
		return nil
	}
	_, err := io.WriteString(s.out, text+"\n")
	return err
}

// complete returns the lines that completeCmd prints.
func complete(app *kong.Node, words []string) []string {
	words = joinAssignments(words)
	if len(words) == 0 {
		words = []string{""}
	}
	if len(words) > 1 && words[0] == "help" {
		return slices.DeleteFunc(complete(app, words[1:]), func(line string) bool { return strings.HasPrefix(line, "-") })
	}
	at := typed{node: app}
	last := words[len(words)-1]
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	name, _, assigned := strings.Cut(last, "=")
	switch {
	case at.flag != nil:
		return valuesOf(at.node, at.flag.Value)
	case at.onlyArguments || !strings.HasPrefix(last, "-"):
		return at.arguments()
	case !assigned:
		return at.flags()
	case at.flagNamed(name) != nil:
		return valuesOf(at.node, at.flagNamed(name).Value)
	}
	return nil
}

// joinAssignments joins --flag=value, which bash splits into three words, and likewise what has a colon.
func joinAssignments(words []string) (joined []string) {
	joins := func(word string) bool { return word == "=" || word == ":" }
	for i, word := range words {
		if n := len(joined); n > 0 && (joins(word) || i > 0 && joins(words[i-1])) {
			joined[n-1] += word
			continue
		}
		joined = append(joined, word)
	}
	return joined
}

// typed is what the words of a command line before the last one say.
type typed struct {
	node          *kong.Node // the command so far
	count         int        // arguments of node so far
	flag          *kong.Flag // the flag whose value comes next, or nil
	onlyArguments bool       // a -- came before
}

// pass takes the next word.
func (t *typed) pass(word string) {
	isFlag := !t.onlyArguments && len(word) > 1 && word[0] == '-'
	switch {
	case t.flag != nil:
		t.flag = nil
	case word == "--":
		t.onlyArguments = true
	case isFlag:
		if f := t.flagNamed(word); f != nil && !f.IsBool() && !f.IsCounter() {
			t.flag = f
		}
	default:
		t.argument(word)
	}
}

// argument takes a word that is no flag: a command, or an argument of the command so far.
func (t *typed) argument(word string) {
	for _, child := range t.node.Children {
		if child.Name == word {
			t.node, t.count = child, 0
			return
		}
	}
	t.count++
}

// allFlags returns the flags of the command and of those above it, without hidden ones.
func (t *typed) allFlags() (flags []*kong.Flag) {
	groups := t.node.AllFlags(true)
	if t.node.DefaultCmd != nil {
		groups = append(groups, t.node.DefaultCmd.Flags)
	}
	for _, group := range groups {
		for _, f := range group {
			if !f.Hidden {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// flagNamed returns the flag that is written as word, such as --car or -o, or nil.
func (t *typed) flagNamed(word string) *kong.Flag {
	for _, f := range t.allFlags() {
		if word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short) {
			return f
		}
	}
	return nil
}

// flags returns the lines for a word that begins with a hyphen.
func (t *typed) flags() (lines []string) {
	for _, f := range t.allFlags() {
		lines = append(lines, "--"+f.Name+"\t"+firstSentence(f.Help))
		if f.Tag.Negatable != "" {
			lines = append(lines, "--no-"+f.Name+"\t"+firstSentence(f.Help))
		}
	}
	return lines
}

// arguments returns the lines for a word that begins a command or an argument, and those for flags if there are none.
func (t *typed) arguments() (lines []string) {
	for _, child := range t.node.Children {
		if !child.Hidden {
			lines = append(lines, child.Name+"\t"+firstSentence(child.Help))
		}
	}
	list := t.node.Positional
	switch {
	case t.count < len(list):
		lines = append(lines, valuesOf(t.node, list[t.count])...)
	case len(list) > 0 && list[len(list)-1].IsCumulative():
		lines = append(lines, valuesOf(t.node, list[len(list)-1])...)
	case len(t.node.Children) == 0 && !t.onlyArguments:
		return t.flags()
	}
	return lines
}

// firstSentence returns the first sentence of a help text.
func firstSentence(help string) string {
	first, _, _ := strings.Cut(help, ". ")
	return strings.TrimSuffix(first, ".")
}

// builtin returns the values of flags (by --NAME, or COMMAND --NAME) and of arguments (by COMMAND NAME) that can be listed. Those of an
// enum are listed by kong.
var builtin = map[string]func() []string{
	"--car":                   config.Cars,
	"--track":                 config.Circuits,
	"--platform":              config.Platforms,
	"--camera":                func() []string { return wordsOf[config.Display]("Camera") },
	"--surface":               tire.SurfaceNames,
	"rig tire --sweep":        tirerig.Kinds,
	"--channels":              func() []string { return append([]string{"all"}, channels.Groups()...) },
	"--mode":                  func() []string { return wordsOf[cueing.Config]("Mode") },
	"--session":               sessionNames,
	"--real":                  func() []string { return []string{"wheel", "platform", "all"} },
	"rig maneuver --on":       sessionNames,
	"rig maneuver name":       func() []string { return append(maneuver.Names(), openLoop) },
	"rig road name|file":      config.Circuits,
	"rig tire model|file.tir": tire.Names,
	"rig motion tune factor":  drive.FactorNames,
	"rig follow source":       gameNames,
}

// wordsOf returns the words that a key of a configuration may have. field is the name of its field in Section.
func wordsOf[Section any](field string) []string {
	f, _ := reflect.TypeFor[Section]().FieldByName(field)
	return strings.Split(f.Tag.Get("oneof"), ",")
}

func gameNames() (names []string) {
	for _, g := range games.Sources {
		names = append(names, g.Name)
	}
	return names
}

// fileEndings matches the endings of files in a placeholder or in the name of an argument, such as F.png|svg.
var fileEndings = regexp.MustCompile(`\.([a-z0-9|]+)$`)

// valuesOf returns the lines for the value of a flag or an argument of a command.
func valuesOf(command *kong.Node, v *kong.Value) (lines []string) {
	if v.Enum != "" {
		return v.EnumSlice()
	}
	key, form := command.FullPath()+" "+v.Name, v.Tag.PlaceHolder
	list := builtin[key]
	if v.Flag != nil {
		key = "--" + v.Name
		if list = builtin[command.FullPath()+" "+key]; list == nil {
			list = builtin[key]
		}
	}
	if list != nil {
		lines = list()
	}
	if form == "" {
		form = v.Name
	}
	endings := fileEndings.FindStringSubmatch(form)
	switch {
	case key == "--track" || key == "rig road name|file":
		return append(lines, ":files toml"+strings.ReplaceAll(strings.Join(config.GroundKinds(), ""), ".", " "))
	case form == "DIR":
		return append(lines, ":files /")
	case endings != nil:
		return append(lines, ":files "+strings.ReplaceAll(endings[1], "|", " "))
	case form == "F" && key == "--config":
		return append(lines, ":files toml")
	case form == "F" && key == "--csv":
		return append(lines, ":files csv")
	case form == "F":
		return append(lines, ":files")
	}
	return lines
}
