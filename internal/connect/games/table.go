package games

import (
	"context"
	"log/slog"
	"time"

	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/files/config"
)

// table is the table of rig.toml.
type table struct {
	Follow Config `toml:"follow"`
}

// Section returns the table of rig.toml.
func Section() config.Section { return config.Section{Tables: &table{}} }

// Of returns what a configuration listens to.
func Of(cfg *config.Config) Config { return config.Get[table](cfg).Follow }

// Put makes a configuration listen to c.
func (c Config) Put(cfg *config.Config) { cfg.Put(&table{c}) }

// Validate reports every key that cannot be used.
func (t *table) Validate() error { return config.ValidateTable("follow", t.Follow) }

// Check listens for a moment to the game that rig follow is to follow.
func Check(cfg *config.Config, add func(check, where, what, remedy string)) {
	c := Of(cfg)
	if c.Source == "" {
		return
	}
	hub, err := New(c, slog.New(slog.DiscardHandler))
	if err != nil {
		add("follow", "follow", err.Error(), "a running rig follow may listen there already")
		return
	}
	const listen = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), listen)
	defer cancel()
	_ = hub.Run(ctx) // its ports are closed again
	var packet follow.Sample
	if hub.Latest(&packet); packet.Number == 0 {
		add("follow", "follow", hub.Status(), "start the game and drive, then check again; see docs/games.md")
	}
}
