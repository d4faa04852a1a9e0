package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
)

func TestReportPrintsALineForEachFaultAndNoControlCharacters(t *testing.T) {
	var many []error
	for i := range 20_000 {
		many = append(many, &config.Problem{File: "rig.toml", Line: i + 1, Column: 1, Text: "unknown key"})
	}
	forged := &config.Problem{File: "a\x1b[2J.toml", Line: 1, Column: 2, Text: "title \"x\nrig: done\" is " + strings.Repeat("long ", 1<<20)}
	for _, tt := range []struct {
		name   string
		err    error
		status int
		lines  int
	}{
		{"nothing", nil, exitDone, 0},
		{"usage", forged, exitUsage, 1},
		{"failure", fmt.Errorf("home: %w", errors.New("a\nb\x1b]0;c\a")), exitFailed, 1},
		{"two", errors.Join(forged, forged), exitUsage, 2},
		{"many", errors.Join(many...), exitUsage, 11},
	} {
		var out strings.Builder
		if status := report(&out, tt.err); status != tt.status {
			t.Errorf("%s: status %d", tt.name, status)
		}
		if n := strings.Count(out.String(), "\n"); n != tt.lines || out.Len() > 2000*max(1, n) || strings.ContainsAny(out.String(), "\x1b\a") {
			t.Errorf("%s: %d lines, %d bytes: %.2000s", tt.name, n, out.Len(), out.String())
		}
	}
}
