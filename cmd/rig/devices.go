package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"rig/internal/rig"
)

type devicesCmd struct {
	Config string `type:"path" placeholder:"F" help:"Configuration file."`
	JSON   bool   `name:"json" help:"Print a JSON array."`
}

func (c *devicesCmd) Run(s *streams) error {
	cfg, _, err := loadConfig(c.Config)
	if err != nil {
		return err
	}
	list, err := rig.Devices(cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(s.out, "no input devices and no serial lines; plug in a wheel, or try `rig run --demo`")
	}
	for _, d := range list {
		fmt.Fprintf(s.out, "%-22s %s:%s  %-9s %s\n", d.Path, d.Vendor, d.Product, d.Kind, d.Name)
		if len(d.Axes)+len(d.Buttons) > 0 {
			fmt.Fprintf(s.out, "%22s axes %s; %d buttons; force feedback %s\n", "", join(d.AxisNames()), len(d.Buttons), join(d.FFEffects))
		}
		fmt.Fprintf(s.out, "%22s → %s\n", "", d.Use)
	}
	return nil
}

func join(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " ")
}
