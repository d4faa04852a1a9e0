package tire

import (
	"errors"
	"fmt"
	"math"
)

// HeatParams describe how a tire warms, wears, and what both change about it.
//
// The numbers are of the whole tire. A conductance or a share of 0 cuts that
// path off.
type HeatParams struct {
	Enabled bool    `toml:"enabled"` // if not, temperature and wear change nothing
	Air     float64 `toml:"air_c"`   // the air, and the tire at the start [°C]
	Track   float64 `toml:"track_c"` // the road's surface [°C]

	Optimum       float64 `toml:"optimum_c"`           // where the tire's own friction and stiffness hold [°C]
	Window        float64 `toml:"window_k"`            // this far from the optimum a tenth of the friction is lost
	LeastGrip     float64 `toml:"least_grip"`          // factor on friction that no temperature goes below
	Softening     float64 `toml:"softening_per_k"`     // share of the stiffness lost for each kelvin of the bulk
	WornGrip      float64 `toml:"worn_grip_loss"`      // share of the friction that a worn-out tread lacks; negative if it gains
	WornStiffness float64 `toml:"worn_stiffness_gain"` // share of the stiffness that a worn-out tread gains: short blocks bend less

	SurfaceHeat float64 `toml:"surface_j_per_k"` // heat capacity of the outer millimetre of the tread
	BulkHeat    float64 `toml:"bulk_j_per_k"`    // of the rest of the tire
	GasHeat     float64 `toml:"gas_j_per_k"`     // of the filling, at constant volume

	SkidShare       float64 `toml:"skid_share_to_tread"`     // of the sliding power; the road takes the rest
	ContactPressure float64 `toml:"contact_pressure_kpa"`    // load over the area of rubber that touches the road
	RoadContact     float64 `toml:"road_w_per_m2k"`          // conductance of that area at 20 m/s
	AirStill        float64 `toml:"air_still_w_per_m2k"`     // to the air around a tire that stands
	AirMoving       float64 `toml:"air_moving_ws_per_m3k"`   // what each m/s adds to it
	TreadArea       float64 `toml:"tread_area_m2"`           // that the air cools
	SideArea        float64 `toml:"side_area_m2"`            // both side walls, outside
	Wall            float64 `toml:"side_wall_w_per_m2k"`     // from the bulk through the side walls' rubber
	SurfaceToBulk   float64 `toml:"surface_to_bulk_w_per_k"` // through the tread
	BulkToGas       float64 `toml:"bulk_to_gas_w_per_k"`     // from the inner liner
	GasToRim        float64 `toml:"gas_to_rim_w_per_k"`      // to a rim at the air's temperature
	Abrasion        float64 `toml:"abrasion_mg_per_kj"`      // tread lost for sliding energy, at the optimum
	HotAbrasion     float64 `toml:"abrasion_gain_per_k"`     // share that each kelvin of the surface adds
	Tread           float64 `toml:"tread_kg"`                // rubber down to the wear bars
}

// DefaultHeat is off, and plausible for a 205/55 R16 road tire.
//
// Masses and areas are a tire's of 9 kg with 8 mm of tread, 29 l of gas at 3.2
// bar absolute. Rubber has 0.25 W/(m·K) and 1.8 kJ/(kg·K). Road contact: two
// half spaces, rubber and asphalt (thermal effusivities 720 and 1590
// W·√s/(m²·K)), that meet for the 8 ms of a contact at 20 m/s exchange 6
// kW/(m²·K) on average. Sharing sliding power as such half spaces do would give
// the tread 0.31; rough asphalt touches with a part of its surface and takes
// less. Air: a plate as long as a tire in a turbulent flow has 74 W/(m²·K) at 20
// m/s. At 80 km/h this makes the gas some 20 K warmer than the air within half
// an hour, which is how long tests of rolling resistance let a tire run in (ISO
// 28580). Abrasion: a tire that loses 30 mg in a kilometre of common traffic,
// where slip takes 1 to 3 kJ, wears by 10 to 30 mg/kJ; the emery of an abrader
// (ISO 4649) takes some 300.
func DefaultHeat() HeatParams {
	return HeatParams{
		Air: 20, Track: 25,
		Optimum: 50, Window: 40, LeastGrip: 0.6, Softening: 0.003, WornGrip: 0.05, WornStiffness: 0.3,
		SurfaceHeat: 450, BulkHeat: 13.5e3, GasHeat: 80,
		SkidShare: 0.5, ContactPressure: 300, RoadContact: 6000,
		AirStill: 6, AirMoving: 3.7, TreadArea: 0.33, SideArea: 0.5, Wall: 40,
		SurfaceToBulk: 20, BulkToGas: 15, GasToRim: 5,
		Abrasion: 20, HotAbrasion: 0.02, Tread: 1.6,
	}
}

// Validate reports every parameter that is out of range.
func (p HeatParams) Validate() error {
	return errors.Join(
		inRange("air_c", p.Air, -60, 60),
		inRange("track_c", p.Track, -60, 90),
		p.validateEffect(),
		inRange("surface_j_per_k", p.SurfaceHeat, 10, 1e5),
		inRange("bulk_j_per_k", p.BulkHeat, 100, 1e6),
		inRange("gas_j_per_k", p.GasHeat, 1, 1e5),
		inRange("skid_share_to_tread", p.SkidShare, 0, 1),
		inRange("contact_pressure_kpa", p.ContactPressure, 10, 2000),
		inRange("road_w_per_m2k", p.RoadContact, 0, 1e5),
		inRange("air_still_w_per_m2k", p.AirStill, 0, 1e3),
		inRange("air_moving_ws_per_m3k", p.AirMoving, 0, 100),
		inRange("tread_area_m2", p.TreadArea, 0, 10),
		inRange("side_area_m2", p.SideArea, 0, 10),
		inRange("side_wall_w_per_m2k", p.Wall, 0, 1e4),
		inRange("surface_to_bulk_w_per_k", p.SurfaceToBulk, 0, 1e4),
		inRange("bulk_to_gas_w_per_k", p.BulkToGas, 0, 1e4),
		inRange("gas_to_rim_w_per_k", p.GasToRim, 0, 1e4),
		inRange("abrasion_mg_per_kj", p.Abrasion, 0, 1e4),
		inRange("abrasion_gain_per_k", p.HotAbrasion, 0, 0.2),
		inRange("tread_kg", p.Tread, 0.01, 100),
	)
}

// validateEffect is Validate for what temperature and wear change.
func (p HeatParams) validateEffect() error {
	return errors.Join(
		inRange("optimum_c", p.Optimum, -40, 200),
		inRange("window_k", p.Window, 1, 500),
		inRange("least_grip", p.LeastGrip, 0.1, 0.85),
		inRange("softening_per_k", p.Softening, 0, 0.02),
		inRange("worn_grip_loss", p.WornGrip, -0.2, 0.8),
		inRange("worn_stiffness_gain", p.WornStiffness, -0.5, 2),
	)
}

// Heat is the state of a tire's temperature and wear between two ticks.
type Heat struct {
	Surface float64 // of the tread where it meets the road [K]
	Bulk    float64 // of the tread's inside, belt and carcass [K]
	Gas     float64 // of the filling [K]
	Worn    float64 // share of the usable tread that is gone, 0..1
}

// HeatIn is what heats and cools a tire during one tick. A wheel that stands
// has a speed of 0, one in the air has no load.
type HeatIn struct {
	Load    float64 // on the road [N]
	Speed   float64 // of the wheel against air and road [m/s]; its sign does not count
	Skid    float64 // what the tire loses to slip: force times sliding speed, that of partial sliding included [W], >= 0
	Rolling float64 // what it loses to rolling resistance [W], >= 0
	Air     float64 // temperature of the air [K]
	Track   float64 // temperature of the road's surface [K]
}

// Thermal warms and wears tires. It never changes and may be shared by wheels.
//
// Three bodies are each at one temperature, as in Sorniotti (Tire Thermal Model
// for Enhanced Vehicle Dynamics Simulation, SAE 2009-01-0441) and in Harsh and
// Shyrokau (Tire Model with Temperature Effects for Formula SAE Vehicle, Applied
// Sciences 9, 2019, 5328):
//
//	sliding ─► surface ─── bulk ◄─ rolling
//	           │     │     │   └── gas ─── rim
//	         track   air   air
//
// The hysteresis that side forces add is part of the sliding power here, for a
// slipping tire loses force times sliding speed and no more.
type Thermal struct {
	p                  HeatParams
	dt                 float64
	surface, bulk, gas float64 // heat capacities over dt [W/K]
	air, track         float64 // [K]
	optimum            float64 // [K]
	perLoad            float64 // of the road contact at 20 m/s [W/(K·N)]
	bell               float64 // 1 over the square of the bell's half width [1/K²]
	wear               float64 // share of the tread lost for sliding energy [1/J]
}

// zeroCelsius is 0 °C [K].
const zeroCelsius = 273.15

// NewThermal returns the thermal model of a tire that steps by dt [s], enabled
// or not.
func NewThermal(p HeatParams, dt float64) (*Thermal, error) {
	if err := errors.Join(p.Validate(), inRange("dt", dt, 1e-6, 1)); err != nil {
		return nil, fmt.Errorf("tire: heat: %w", err)
	}
	const pascals, kilogramsPerJoule, tenth = 1e3, 1e-9, 0.1
	return &Thermal{
		p: p, dt: dt,
		surface: p.SurfaceHeat / dt, bulk: p.BulkHeat / dt, gas: p.GasHeat / dt,
		air: p.Air + zeroCelsius, track: p.Track + zeroCelsius, optimum: p.Optimum + zeroCelsius,
		perLoad: p.RoadContact / (p.ContactPressure * pascals),
		bell:    tenth / ((1 - p.LeastGrip - tenth) * p.Window * p.Window),
		wear:    p.Abrasion * kilogramsPerJoule / p.Tread,
	}, nil
}

// Start returns a new tire at the temperature of the air.
func (t *Thermal) Start() Heat { return Heat{Surface: t.air, Bulk: t.air, Gas: t.air} }

// Outside returns the temperatures of the parameters [K], for HeatIn.
func (t *Thermal) Outside() (air, track float64) { return t.air, t.track }

// Step advances h by one tick. It is part of the loop: no allocation.
//
// Temperatures are solved implicitly, all three at once, so that no step and no
// power overshoots: what leaves one body enters the next, to rounding.
func (t *Thermal) Step(h *Heat, in HeatIn) {
	h.tidy()
	in.tidy()
	t.wearOff(h, in.Skid)
	t.warm(h, &in, t.outward(&in))
	h.tidy()
}

// outward is the way of heat out of a tire [W/K].
type outward struct {
	road float64 // from the surface into the road
	air  float64 // from the surface into the air
	side float64 // from the bulk through the side walls into the air
}

// outward returns the conductances of a tick. A contact is shorter the faster
// the wheel rolls, and heat enters a half space with the root of time, so the
// road takes in proportion to the root of the speed (Cattani et al., Tyre-Road
// Heat Transfer Coefficient Equation Proposal, Applied Sciences 13, 2023,
// 11996). The side walls' rubber and the air film are in series.
func (t *Thermal) outward(in *HeatIn) outward {
	const reference, standing = 20, 0.2 // [m/s]; a tire that stands warms the road below it as one that creeps
	film := t.p.AirStill + t.p.AirMoving*in.Speed
	out := outward{
		road: t.perLoad * in.Load * math.Sqrt(max(in.Speed, standing)/reference),
		air:  film * t.p.TreadArea,
	}
	if film > 0 {
		out.side = t.p.SideArea * film * t.p.Wall / (film + t.p.Wall)
	}
	return out
}

// warm solves the implicit step for the three rises of temperature.
func (t *Thermal) warm(h *Heat, in *HeatIn, out outward) {
	p := &t.p
	// What would flow in at the temperatures so far [W].
	inward, fill := p.SurfaceToBulk*(h.Surface-h.Bulk), p.BulkToGas*(h.Bulk-h.Gas)
	surface := p.SkidShare*in.Skid - inward - out.air*(h.Surface-in.Air) - out.road*(h.Surface-in.Track)
	bulk := in.Rolling + inward - fill - out.side*(h.Bulk-in.Air)
	gas := fill - p.GasToRim*(h.Gas-in.Air)
	// What each body's own rise takes [W/K], and the share of the bulk's rise that follows in its neighbours.
	ofSurface := t.surface + p.SurfaceToBulk + out.air + out.road
	ofGas := t.gas + p.BulkToGas + p.GasToRim
	surfaceShare, gasShare := p.SurfaceToBulk/ofSurface, p.BulkToGas/ofGas
	ofBulk := t.bulk + out.side + p.SurfaceToBulk*(1-surfaceShare) + p.BulkToGas*(1-gasShare)

	rise := (bulk + surfaceShare*surface + gasShare*gas) / ofBulk
	h.Bulk += rise
	h.Surface += surface/ofSurface + surfaceShare*rise
	h.Gas += gas/ofGas + gasShare*rise
}

// wearOff takes away tread in proportion to the sliding energy, as abrasion
// tests find (Grosch, Rubber Abrasion and Tire Wear, Rubber Chemistry and
// Technology 81, 2008), and more of it when the surface is hot.
func (t *Thermal) wearOff(h *Heat, skid float64) {
	const leastRate = 0.2 // cold rubber wears too
	rate := max(leastRate, 1+t.p.HotAbrasion*(h.Surface-t.optimum))
	h.Worn += t.wear * rate * skid * t.dt
}

// Grip returns the factors on friction and on slip stiffness: both are exactly
// 1 for a new tire at its optimum.
//
// Friction follows the surface along a bell, as the parabola of Harsh and
// Shyrokau near its top but never below its floor. Stiffness falls in
// proportion to the temperature of the bulk, as theirs does. Wear changes both
// in proportion.
func (t *Thermal) Grip(h *Heat) (grip, stiffness float64) {
	const softest, stiffest = 0.3, 2 // rubber that melts or freezes is beyond the straight line
	now := *h
	now.tidy()
	off := now.Surface - t.optimum
	off2 := t.bell * off * off
	grip = 1 - (1-t.p.LeastGrip)*(off2/(1+off2))
	stiffness = min(max(1-t.p.Softening*(now.Bulk-t.optimum), softest), stiffest)
	return grip * (1 - t.p.WornGrip*now.Worn), stiffness * (1 + t.p.WornStiffness*now.Worn)
}

// Pressure returns the inflation [Pa] of a tire that was filled to cold [Pa] at
// the temperature of the parameters' air.
//
// Both are gauge pressures, above the atmosphere's, as Contact.Pressure is. The
// gas is ideal and its volume constant, so its absolute pressure is
// proportional to its temperature. A cold pressure of 0 or less gives 0, which
// stands for the tire's own; no other pressure does.
func (t *Thermal) Pressure(h *Heat, cold float64) float64 {
	const atmosphere, least, most = 101_325, 1e3, 1e8 // [Pa]
	if !(cold > 0) {
		return 0
	}
	now := *h
	now.tidy()
	return max(least, (min(cold, most)+atmosphere)*(now.Gas/t.air)-atmosphere)
}

// Temperatures beyond these are no tire's [K].
const coldest, hottest = 150, 1500

// tidy keeps a state within what a tire can be.
func (h *Heat) tidy() {
	h.Surface = heatWithin(h.Surface, coldest, hottest)
	h.Bulk = heatWithin(h.Bulk, coldest, hottest)
	h.Gas = heatWithin(h.Gas, coldest, hottest)
	h.Worn = heatWithin(h.Worn, 0, 1)
}

// tidy keeps what comes in finite.
func (in *HeatIn) tidy() {
	const mostForce, mostSpeed, mostPower = 1e6, 1e3, 1e9
	in.Load = heatWithin(in.Load, 0, mostForce)
	in.Speed = heatWithin(math.Abs(in.Speed), 0, mostSpeed)
	in.Skid = heatWithin(in.Skid, 0, mostPower)
	in.Rolling = heatWithin(in.Rolling, 0, mostPower)
	in.Air = heatWithin(in.Air, coldest, hottest)
	in.Track = heatWithin(in.Track, coldest, hottest)
}

// heatWithin clamps v; what is no number counts as low.
func heatWithin(v, low, high float64) float64 {
	if !(v > low) {
		return low
	}
	return min(v, high)
}
