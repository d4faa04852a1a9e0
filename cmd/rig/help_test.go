package main

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// model returns the model of all commands.
func model() *kong.Application {
	return newParser(&commands{}, io.Discard, io.Discard, func(int) {}).Model
}

// One screen of 80 columns and 40 rows says what rig can do, the main thing first.
func TestHelpFitsOnOneScreen(t *testing.T) {
	status, help, errs := rigCommand(t)
	if status != exitDone || errs != "" {
		t.Fatalf("status %d, %q", status, errs)
	}
	lines := strings.Split(strings.TrimSuffix(help, "\n"), "\n")
	if len(lines) > 40 {
		t.Errorf("%d lines: group or hide some commands", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("shorten the help of this command, and explain more in its method Help: %q", line)
		}
	}
	if !strings.HasPrefix(lines[4], "Drive      run ") {
		t.Errorf("the first command is %q, want rig run", lines[4])
	}
	for _, command := range model().Children {
		if shown := strings.Contains(help, "  "+command.Name+" ") && strings.Contains(help, "  "+command.Help+"\n"); shown == command.Hidden {
			t.Errorf("%s: hidden %t, shown %t; has it one of the groups of helpGroups?", command.Name, command.Hidden, shown)
		}
	}
}

func TestHelpOfACommand(t *testing.T) {
	for _, words := range []string{"", "run", "motion", "motion profile use", "export", "replay"} {
		args := strings.Fields(words)
		status, help, errs := rigCommand(t, append([]string{"help"}, args...)...)
		_, want, _ := rigCommand(t, append(args, "--help")...)
		if status != exitDone || errs != "" || help != want || !strings.HasPrefix(help, "Usage: rig ") {
			t.Errorf("rig help %s: status %d, %q, %q, want %q", words, status, errs, help, want)
		}
	}
	if _, help, _ := rigCommand(t, "help", "motion"); !strings.Contains(help, "\nCommands:\n  motion home ") {
		t.Errorf("rig help motion: %s", help)
	}
}

func TestHelpOfAnUnknownCommandNamesTheNearest(t *testing.T) {
	for args, want := range map[string]string{
		"moton":           `unexpected argument moton, did you mean "motion"?`,
		"help moton":      `unexpected argument moton, did you mean "motion"?`,
		"help motion hme": `unexpected argument hme, did you mean "home"?`,
		"help run run":    "unexpected argument run",
	} {
		status, out, errs := rigCommand(t, strings.Fields(args)...)
		if status != exitUsage || out != "" || !strings.HasPrefix(errs, "rig: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("rig %s: status %d, %q, %q", args, status, out, errs)
		}
	}
}
