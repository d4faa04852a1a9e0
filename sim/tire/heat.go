package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// HeatParams describe how a tire warms up and wears, and how both change its friction and stiffness.
//
// The values are those of the whole tire. A conductance or a share of 0 removes that path of heat.
type HeatParams struct {
	Enabled bool    `toml:"enabled"`                 // whether temperature and wear change friction and stiffness
	Air     float64 `toml:"air_c" range:"-60..60"`   // temperature of the air, and of the tire at the start [°C]
	Track   float64 `toml:"track_c" range:"-60..90"` // temperature of the road surface [°C]

	Optimum           float64 `toml:"optimum_c" range:"-40..200"`          // temperature at which the tire has its nominal friction and stiffness [°C]
	Window            float64 `toml:"window_k" range:"1..500"`             // distance from the optimum at which a tenth of the friction is lost
	MinGrip           float64 `toml:"least_grip" range:"0.1..0.85"`        // lowest factor of temperature on friction
	Softening         float64 `toml:"softening_per_k" range:"0..0.02"`     // share of the stiffness lost per kelvin of the bulk
	WornGripLoss      float64 `toml:"worn_grip_loss" range:"-0.2..0.8"`    // share of the friction that a worn-out tread loses; negative if it gains
	WornStiffnessGain float64 `toml:"worn_stiffness_gain" range:"-0.5..2"` // share of the stiffness that a worn-out tread gains

	SurfaceHeat float64 `toml:"surface_j_per_k" range:"10..100000"` // heat capacity of the outer millimetre of the tread
	BulkHeat    float64 `toml:"bulk_j_per_k" range:"100..1000000"`  // heat capacity of the rest of the tire
	GasHeat     float64 `toml:"gas_j_per_k" range:"1..100000"`      // heat capacity of the gas at constant volume

	SlipPowerShare  float64 `toml:"skid_share_to_tread" range:"0..1"`      // share of the sliding power that heats the tread; the road takes the rest
	ContactPressure float64 `toml:"contact_pressure_kpa" range:"10..2000"` // load over the area of rubber that touches the road
	// conductance per area of road contact at 20 m/s. 0 cuts this path of heat off, as it does for the
	// conductances below
	RoadContact   float64 `toml:"road_w_per_m2k" range:"0..100000"`
	AirStill      float64 `toml:"air_still_w_per_m2k" range:"0..1000"`      // conductance per area to the air around a standing tire
	AirMoving     float64 `toml:"air_moving_ws_per_m3k" range:"0..100"`     // increase of that conductance per m/s
	TreadArea     float64 `toml:"tread_area_m2" range:"0..10"`              // tread area cooled by the air
	SideArea      float64 `toml:"side_area_m2" range:"0..10"`               // outer area of both side walls
	SideWall      float64 `toml:"side_wall_w_per_m2k" range:"0..10000"`     // conductance per area of the side walls' rubber
	SurfaceToBulk float64 `toml:"surface_to_bulk_w_per_k" range:"0..10000"` // conductance through the tread
	BulkToGas     float64 `toml:"bulk_to_gas_w_per_k" range:"0..10000"`     // conductance from the inner liner to the gas
	GasToRim      float64 `toml:"gas_to_rim_w_per_k" range:"0..10000"`      // conductance from the gas to the rim, which has the air's temperature
	Abrasion      float64 `toml:"abrasion_mg_per_kj" range:"0..10000"`      // tread mass lost per sliding energy, at the optimum
	AbrasionGain  float64 `toml:"abrasion_gain_per_k" range:"0..0.2"`       // relative increase of abrasion per kelvin of the surface
	TreadMass     float64 `toml:"tread_kg" range:"0.01..100"`               // mass of rubber down to the wear bars
}

// DefaultHeat is off, and plausible for a 205/55 R16 road tire.
//
// Masses and areas are those of a tire of 9 kg with 8 mm of tread and 29 l of gas at 3.2 bar absolute.
// Rubber has 0.25 W/(m·K) and 1.8 kJ/(kg·K). Road contact: two half spaces, rubber and asphalt (thermal
// effusivities 720 and 1590 W·√s/(m²·K)), that meet for the 8 ms of a contact at 20 m/s exchange 6
// kW/(m²·K) on average. If sliding power divided as between such half spaces, the tread would get 0.31
// of it; rough asphalt touches with a part of its surface and takes less. Air: a plate as long as a tire
// in a turbulent flow has 74 W/(m²·K) at 20 m/s. At 80 km/h this makes the gas some 20 K warmer than the
// air within half an hour, which is the warm-up time of rolling resistance tests (ISO 28580). Abrasion:
// a tire that loses 30 mg per kilometre in normal traffic, where slip dissipates 1 to 3 kJ, wears by 10
// to 30 mg/kJ; the emery of an abrader (ISO 4649) takes some 300.
func DefaultHeat() HeatParams {
	return HeatParams{
		Air: 20, Track: 25,
		Optimum: 50, Window: 40, MinGrip: 0.6, Softening: 0.003, WornGripLoss: 0.05, WornStiffnessGain: 0.3,
		SurfaceHeat: 450, BulkHeat: 13.5e3, GasHeat: 80,
		SlipPowerShare: 0.5, ContactPressure: 300, RoadContact: 6000,
		AirStill: 6, AirMoving: 3.7, TreadArea: 0.33, SideArea: 0.5, SideWall: 40,
		SurfaceToBulk: 20, BulkToGas: 15, GasToRim: 5,
		Abrasion: 20, AbrasionGain: 0.02, TreadMass: 1.6,
	}
}

// Validate reports every parameter that is out of range.
func (p HeatParams) Validate() error {
	return valid.Struct(p)
}

// Heat is the state of a tire's temperatures and tread wear between two ticks.
type Heat struct {
	Surface float64 // temperature of the outer tread, where it meets the road [K]
	Bulk    float64 // temperature of the inner tread, belt and carcass [K]
	Gas     float64 // temperature of the gas in the tire [K]
	Wear    float64 // share of the usable tread that is worn off, 0 to 1
}

// HeatInput is what heats and cools a tire during one tick. A standing wheel has a speed of 0, one in
// the air a load of 0.
type HeatInput struct {
	Load         float64 // normal force [N]
	Speed        float64 // speed of the wheel against air and road [m/s]; the sign does not matter
	SlipPower    float64 // power lost in slip: force times sliding speed, partial sliding included [W], >= 0
	RollingPower float64 // power lost to rolling resistance [W], >= 0
	Air          float64 // air temperature [K]
	Track        float64 // temperature of the road surface [K]
}

// Thermal is the model of a tire's temperatures and wear. It is immutable, and wheels may share it.
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
// The hysteresis losses of lateral forces are part of the sliding power here, because
// a slipping tire loses force times sliding speed in total.
type Thermal struct {
	params                                     HeatParams
	dt                                         float64 // [s]
	surfaceCapacity, bulkCapacity, gasCapacity float64 // heat capacities over dt [W/K]
	air, track                                 float64 // start and ambient temperatures of the parameters [K]
	optimum                                    float64 // temperature of best friction [K]
	roadConductancePerLoad                     float64 // conductance to the road over load, at 20 m/s [W/(K·N)]
	perBellWidth2                              float64 // 1 over the square of the half width of the friction bell [1/K²]
	wearPerJoule                               float64 // share of the tread lost per sliding energy, at the optimum [1/J]
}

// zeroCelsius is 0 °C in kelvin.
const zeroCelsius = 273.15

// NewThermal returns the thermal model of a tire that steps by dt [s]. HeatParams.Enabled does not
// matter here.
func NewThermal(p HeatParams, dt float64) (*Thermal, error) {
	if err := errors.Join(p.Validate(), valid.InRange("dt", dt, 1e-6, 1)); err != nil {
		return nil, fmt.Errorf("tire: heat: %w", err)
	}
	const pascals, kilogramsPerJoule, tenth = 1e3, 1e-9, 0.1
	return &Thermal{
		params: p, dt: dt,
		surfaceCapacity: p.SurfaceHeat / dt, bulkCapacity: p.BulkHeat / dt, gasCapacity: p.GasHeat / dt,
		air: p.Air + zeroCelsius, track: p.Track + zeroCelsius, optimum: p.Optimum + zeroCelsius,
		roadConductancePerLoad: p.RoadContact / (p.ContactPressure * pascals),
		perBellWidth2:          tenth / ((1 - p.MinGrip - tenth) * p.Window * p.Window),
		wearPerJoule:           p.Abrasion * kilogramsPerJoule / p.TreadMass,
	}, nil
}

// Start returns the state of a new tire at the temperature of the air.
func (t *Thermal) Start() Heat { return Heat{Surface: t.air, Bulk: t.air, Gas: t.air} }

// Ambient returns the temperatures of air and road surface in the parameters [K], for HeatInput.
func (t *Thermal) Ambient() (air, track float64) { return t.air, t.track }

// Step advances h by one tick. It allocates nothing.
//
// The three temperatures are solved together by an implicit step, so that no step size and no power
// overshoots: the heat that leaves one body enters the next, up to rounding.
func (t *Thermal) Step(h *Heat, in HeatInput) {
	h.clamp()
	in.clamp()
	t.wearTread(h, in.SlipPower)
	t.solveTemperatures(h, &in, t.conductances(&in))
	h.clamp()
}

// conductances are the conductances from a tire to road and air [W/K].
type conductances struct {
	road float64 // conductance from the surface into the road
	air  float64 // conductance from the surface into the air
	side float64 // conductance from the bulk through the side walls into the air
}

// conductances returns the conductances of a tick. The faster the wheel rolls, the shorter the contact
// lasts, and heat enters a half space with the square root of time, so the conductance to the road is
// proportional to the square root of the speed (Cattani et al., Tyre-Road Heat Transfer Coefficient
// Equation Proposal, Applied Sciences 13, 2023, 11996). The rubber of the side walls and the air film
// are in series.
func (t *Thermal) conductances(in *HeatInput) conductances {
	const reference, standing = 20, 0.2 // [m/s]; a standing tire warms the road like a creeping one
	film := t.params.AirStill + t.params.AirMoving*in.Speed
	g := conductances{
		road: t.roadConductancePerLoad * in.Load * math.Sqrt(max(in.Speed, standing)/reference),
		air:  film * t.params.TreadArea,
	}
	if film > 0 {
		g.side = t.params.SideArea * film * t.params.SideWall / (film + t.params.SideWall)
	}
	return g
}

// solveTemperatures advances the three temperatures by one implicit step: it eliminates the rises of
// surface and gas from the linear equations, and solves for that of the bulk.
func (t *Thermal) solveTemperatures(h *Heat, in *HeatInput, g conductances) {
	p := &t.params
	// Heat flows at the present temperatures [W]: from surface to bulk, from bulk to gas, and the net flow
	// into each body.
	toBulk, toGas := p.SurfaceToBulk*(h.Surface-h.Bulk), p.BulkToGas*(h.Bulk-h.Gas)
	surface := p.SlipPowerShare*in.SlipPower - toBulk - g.air*(h.Surface-in.Air) - g.road*(h.Surface-in.Track)
	bulk := in.RollingPower + toBulk - toGas - g.side*(h.Bulk-in.Air)
	gas := toGas - p.GasToRim*(h.Gas-in.Air)
	// Power that raises each body by one kelvin within the tick [W/K]. The surface and the gas follow the
	// rise of the bulk by surfaceShare and gasShare.
	surfacePerKelvin := t.surfaceCapacity + p.SurfaceToBulk + g.air + g.road
	gasPerKelvin := t.gasCapacity + p.BulkToGas + p.GasToRim
	surfaceShare, gasShare := p.SurfaceToBulk/surfacePerKelvin, p.BulkToGas/gasPerKelvin
	bulkPerKelvin := t.bulkCapacity + g.side + p.SurfaceToBulk*(1-surfaceShare) + p.BulkToGas*(1-gasShare)

	bulkRise := (bulk + surfaceShare*surface + gasShare*gas) / bulkPerKelvin
	h.Bulk += bulkRise
	h.Surface += surface/surfacePerKelvin + surfaceShare*bulkRise
	h.Gas += gas/gasPerKelvin + gasShare*bulkRise
}

// wearTread removes tread in proportion to the sliding energy, as abrasion tests find (Grosch, Rubber
// Abrasion and Tire Wear, Rubber Chemistry and Technology 81, 2008), and more of it when the surface is
// hot.
func (t *Thermal) wearTread(h *Heat, slipPower float64) {
	const minRate = 0.2 // cold rubber wears, too
	rate := max(minRate, 1+t.params.AbrasionGain*(h.Surface-t.optimum))
	h.Wear += t.wearPerJoule * rate * slipPower * t.dt
}

// Factors returns the factors on friction and on slip stiffness. Both are exactly 1 for a new tire at
// its optimum temperature.
//
// Friction follows the surface temperature along a bell: near its top it equals the parabola of Harsh
// and Shyrokau, and it stays above a minimum. Stiffness falls linearly with the bulk temperature, as in
// their model. Wear changes both linearly.
func (t *Thermal) Factors(h *Heat) (grip, stiffness float64) {
	const softest, stiffest = 0.3, 2 // limits of the linear law
	clamped := *h
	clamped.clamp()
	deviation := clamped.Surface - t.optimum
	x2 := t.perBellWidth2 * deviation * deviation
	grip = 1 - (1-t.params.MinGrip)*(x2/(1+x2))
	stiffness = min(max(1-t.params.Softening*(clamped.Bulk-t.optimum), softest), stiffest)
	return grip * (1 - t.params.WornGripLoss*clamped.Wear), stiffness * (1 + t.params.WornStiffnessGain*clamped.Wear)
}

// Pressure returns the inflation pressure [Pa] of a tire that was filled to cold [Pa] at the air
// temperature of the parameters.
//
// Both are gauge pressures, above the atmosphere's, as Contact.Pressure is. The gas is ideal and its
// volume constant, so its absolute pressure is proportional to its temperature. A cold pressure of 0 or
// less gives 0, which stands for the tire's nominal pressure; the result is 0 in no other case.
func (t *Thermal) Pressure(h *Heat, cold float64) float64 {
	const atmosphere, low, high = 101_325, 1e3, 1e8 // [Pa]
	if !(cold > 0) {
		return 0
	}
	clamped := *h
	clamped.clamp()
	return max(low, (min(cold, high)+atmosphere)*(clamped.Gas/t.air)-atmosphere)
}

// coldest and hottest are the range of temperatures that the model accepts [K].
const coldest, hottest = 150, 1500

// clamp limits a state to values that a tire can have.
func (h *Heat) clamp() {
	h.Surface = clampOrLow(h.Surface, coldest, hottest)
	h.Bulk = clampOrLow(h.Bulk, coldest, hottest)
	h.Gas = clampOrLow(h.Gas, coldest, hottest)
	h.Wear = clampOrLow(h.Wear, 0, 1)
}

// clamp limits the input to finite values.
func (in *HeatInput) clamp() {
	const maxForce, maxSpeed, maxPower = 1e6, 1e3, 1e9
	in.Load = clampOrLow(in.Load, 0, maxForce)
	in.Speed = clampOrLow(math.Abs(in.Speed), 0, maxSpeed)
	in.SlipPower = clampOrLow(in.SlipPower, 0, maxPower)
	in.RollingPower = clampOrLow(in.RollingPower, 0, maxPower)
	in.Air = clampOrLow(in.Air, coldest, hottest)
	in.Track = clampOrLow(in.Track, coldest, hottest)
}

// clampOrLow clamps v and returns low for NaN.
func clampOrLow(v, low, high float64) float64 {
	if !(v > low) {
		return low
	}
	return min(v, high)
}
