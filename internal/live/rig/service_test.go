package rig

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// The drive needs nobody beside it.
func TestADriveRunsWithoutServices(t *testing.T) {
	level.SkipIfQuick(t)
	sum, err := Run(Options{
		Config: config.Default(), Demo: true, Headless: true, Duration: time.Second, Page: t.TempDir() + "/page", Log: slog.New(slog.DiscardHandler),
	})
	if err != nil || sum.ExitState != guard.Parked.String() || sum.Ticks != 1000 || sum.Sound != nil || sum.Session != nil {
		t.Errorf("%v: %+v", err, sum)
	}
}

// said is a service's part of a summary.
type said string

func (s said) Print(w io.Writer) { fmt.Fprintln(w, string(s)) }

// Each wanted service is begun with the drive that is built, inherits the page first and its own files last, and is shown.
func TestServicesAreBegunBesideADrive(t *testing.T) {
	r := withPage(t, undriven(t, config.Default()))
	var begun []Built
	begin := func(options any, files ...*os.File) func(Built) (any, []*os.File, error) {
		return func(b Built) (any, []*os.File, error) { begun = append(begun, b); return options, files, nil }
	}
	o := Options{Headless: true, Log: slog.New(slog.DiscardHandler), Services: []Service{
		{Command: "unwanted", Begin: begin(nil)},
		{Command: "first", Begin: begin(map[string]int{"a": 1}), Show: func(f *frame.Frame) { f.Marks++ }},
		{Command: "second", Begin: begin("options", os.Stdin, os.Stdout), Report: func(s *Summary) { s.Session = said("two cars") }},
	}}
	if err := r.beginServices(&o, r.page); err != nil {
		t.Fatal(err)
	}
	if len(begun) != 3 || begun[2] != (Built{Drive: r.drive, Page: r.page}) || len(r.services) != 2 || string(r.services[0].options) != `{"a":1}` {
		t.Fatalf("begun with %+v, services %+v", begun, r.services)
	}
	far, own := os.Stderr, r.services[1].inherited(os.Stderr)
	if len(own) != 4 || own[0] != r.page.Files()[0] || own[1] != far || own[2] != os.Stdin || own[3] != os.Stdout {
		t.Errorf("inherits %v", own)
	}
	var text strings.Builder
	sum := r.reports()
	sum.Print(&text)
	if document, err := json.Marshal(sum); err != nil || sum.Sound != nil || !strings.Contains(text.String(), "two cars\n") || !strings.Contains(string(document), `"session":"two cars"`) {
		t.Errorf("%v: %s, %s", err, document, text.String())
	}
	o.Services = []Service{{Command: "refused", Begin: func(Built) (any, []*os.File, error) { return nil, nil, errors.New("no host") }}}
	if err := r.beginServices(&o, r.page); err == nil {
		t.Error("drives without it")
	}
}
