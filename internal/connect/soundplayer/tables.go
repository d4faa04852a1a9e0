package soundplayer

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/files/config"
)

// soundTable is the table of rig.toml that says what is heard.
type soundTable struct {
	Sound sound.Config `toml:"sound"`
}

// shakerTables are the tables of rig.toml that say what is felt.
type shakerTables struct {
	// bass shakers; any number of tables
	Shakers []sound.ShakerConfig `toml:"shaker" count:"0..16"`
}

// Section returns the table [sound] of rig.toml.
func Section() config.Section {
	return config.Section{Tables: &soundTable{sound.DefaultConfig()}, Driver: []string{"sound.volume"}, Protecting: []string{"sound.ceiling_db"}}
}

// ShakerSection returns the tables [[shaker]] of rig.toml.
func ShakerSection() config.Section { return config.Section{Tables: &shakerTables{}} }

// Of returns what a configuration plays. On is set for a drive in which another program's car is followed, or a window
// shows the own one, or whose sound is always on.
func Of(cfg *config.Config, shown bool) Options {
	o := Options{Sound: config.Get[soundTable](cfg).Sound, Shakers: config.Get[shakerTables](cfg).Shakers}
	o.On = o.Sound.On == "always" || o.Sound.On == "auto" && shown
	return o
}

// Put makes a configuration play the sound and the shakers of o.
func (o *Options) Put(cfg *config.Config) {
	cfg.Put(&soundTable{o.Sound})
	cfg.Put(&shakerTables{o.Shakers})
}

// Validate reports every key that is out of range.
func (t *soundTable) Validate() error { return config.ValidateTable("sound", t.Sound) }

// Validate checks each shaker, and that no two hang on one channel.
func (t *shakerTables) Validate() error {
	var errs []error
	for i, k := range t.Shakers {
		errs = append(errs, config.ValidateTable(fmt.Sprintf("shaker[%d]", i), k))
		for j, other := range t.Shakers[:i] {
			if k.Device == other.Device && k.Channel == other.Channel {
				errs = append(errs, fmt.Errorf("shaker[%d].channel = %d: shaker[%d] is at this channel too; give each its own", i, k.Channel, j))
			}
		}
	}
	return errors.Join(errs...)
}
