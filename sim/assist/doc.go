// Package assist is the electronics that help the driver: traction, stability and launch control,
// the pit limiter, arcade aids that no car has, and how two keys move throttle and brake.
//
// In: the driver's wish, what is switched on, the driveline's state, and plain sensors. Out:
// orders for engine, clutch and gearbox, brake pressures, a yaw moment and a drag. It never turns a
// wheel or moves the car, and knows its speed only as a car does, by its wheels and accelerometer.
// The anti-lock brakes stand in package brakes. It reads no clock, and allocates nothing after New.
package assist
