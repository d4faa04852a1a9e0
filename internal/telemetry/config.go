package telemetry

// Config says which programs a running rig sends its state to.
type Config struct {
	Outs []Out `toml:"out" count:"0..16"` // any number of outputs
}

// Out is one output.
type Out struct {
	// layout of the packets: `simapi` (shared memory /dev/shm/SIMAPI.DAT), `outgauge`, `outsim` (OutSim2 with all
	// options), `forza` (Horizon's dash), `beamng` (motion), `dirt`, or `json` (a line of text)
	Format string `toml:"format" oneof:"simapi,outgauge,outsim,forza,beamng,dirt,json"`
	// address and port to which packets are sent by UDP, such as `127.0.0.1:4444`; none for `simapi`
	To string `toml:"to"`
	// packets per second
	RateHz float64 `toml:"rate_hz" range:"1..1000"`
}
