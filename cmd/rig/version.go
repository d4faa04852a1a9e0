package main

import (
	"encoding/json"
	"fmt"

	"github.com/alecthomas/kong"

	"rig.example/rig/internal/kit/version"
)

type versionCmd struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

func (c *versionCmd) Run(s *streams) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(version.Current())
	}
	_, err := fmt.Fprintln(s.out, version.Current())
	return err
}

// versionFlag is the flag --version, which prints the version and exits. It needs no command.
type versionFlag bool

// BeforeReset is called by kong if the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	_, err := fmt.Fprintln(app.Stdout, version.Current())
	app.Exit(exitDone)
	return err
}
