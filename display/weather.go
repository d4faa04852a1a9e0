//go:build cgo

package display

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
)

// lightHeader returns the definitions that the scene's shaders need of a light, and of whether it rains.
func lightHeader(l *scene.Light, rains bool) string {
	var b strings.Builder
	for _, c := range []struct {
		name string
		v    mgl32.Vec3
	}{
		{"TO_SUN", mgl32.Vec3{float32(l.ToSun[0]), float32(l.ToSun[1]), float32(l.ToSun[2])}},
		{"HAZE", l.Haze}, {"ZENITH", l.Zenith}, {"CLOUD", l.Cloud}, {"GROUND_LIGHT", l.Ground},
		{"LIGHT_BELOW", l.FromBelow}, {"LIGHT_ABOVE", l.FromAbove}, {"LIGHT_SUN", l.Sun},
		{"MIRROR_LOW", l.MirrorLow}, {"MIRROR_HIGH", l.MirrorHigh},
	} {
		fmt.Fprintf(&b, "#define %s vec3(%.4f, %.4f, %.4f)\n", c.name, c.v[0], c.v[1], c.v[2])
	}
	fmt.Fprintf(&b, "#define LAMPS %d\n#define RAIN %d\n", bit(l.Lamps), bit(rains))
	return b.String()
}

// bit returns 1 for true and 0 for false.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// setWeather chooses the programs for the weather of a picture, and sets what depends on it in all of them.
func (r *renderer) setWeather(p *picture) {
	r.rain = 0
	if p.frame != nil {
		r.rain = scene.Rain(p.frame)
	}
	r.scenePrograms = r.compiled[r.quality][bit(r.rain > 0)]
	air := r.light.Air(r.rain)
	gl.ClearColor(air[0], air[1], air[2], 1)
	if r.rain == 0 && !r.light.Lamps { // the programs know nothing of either
		return
	}
	for _, s := range r.scenePrograms.all() {
		s.use()
		gl.Uniform1f(s.uniform("rain"), float32(r.rain))
		gl.Uniform1f(s.uniform("overcast"), float32(scene.Overcast(r.rain)))
		if r.light.Lamps && p.frame != nil {
			at, ahead, reach := scene.Headlamps(p.frame, scene.CarPose(p.frame, p.age), r.world.scene)
			gl.Uniform4f(s.uniform("lamps"), float32(at[0]), float32(at[1]), float32(ahead[0]), float32(ahead[1]))
			gl.Uniform1f(s.uniform("lampReach"), float32(reach))
		}
	}
}

// falling is the buffers of what flies through the air in rain.
type falling struct{ streaks, puffs *buffer }

func newFalling(drawn *Drawn) falling {
	most := &details[len(details)-1]
	streaks, ofStreaks := scene.RainStreaks(most.streaks)
	puffs, ofPuffs := scene.SprayPuffs(most.puffs)
	return falling{newBuffer(drawn, streaks, ofStreaks, 3, 2), newBuffer(drawn, puffs, ofPuffs, 4, 2)}
}

// drawRain draws the streaks of rain around the eye, and the spray behind the car's wheels.
func (r *renderer) drawRain(p *picture, view mgl64.Mat4) {
	density := scene.Spray(p.frame, r.world.scene)
	sprays := !p.inCockpit && slices.Max(density[:]) > 0
	if r.rain == 0 && !sprays {
		return
	}
	gl.DepthMask(false)
	gl.Disable(gl.CULL_FACE)
	time := float64(p.frame.Tick)/1000 + p.age
	if sprays {
		r.drawSpray(p, view, &density, time)
	}
	if r.rain > 0 {
		offset, streak := scene.RainFall(p.eye.Pos, p.frame.Vel, time)
		r.useAirProgram(r.rainProgram, p, view)
		r.rainProgram.vector("offset", offset)
		r.rainProgram.vector("streak", streak)
		r.rainProgram.vector("box", scene.RainBox)
		r.falling.streaks.drawSpan(scene.Span{Count: 6 * int(float64(details[r.quality].streaks)*(0.25+0.75*r.rain))})
	}
	gl.Enable(gl.CULL_FACE)
	gl.DepthMask(true)
}

func (r *renderer) drawSpray(p *picture, view mgl64.Mat4, density *[4]float64, time float64) {
	pr, f := r.spray, p.frame
	r.useAirProgram(pr, p, view)
	pr.vector("velocity", f.Vel)
	ahead := p.eye.Target.Sub(p.eye.Pos).Normalize()
	right := ahead.Cross(p.eye.Up).Normalize()
	pr.vector("right", right)
	pr.vector("up", right.Cross(ahead))
	gl.Uniform1f(pr.uniform("clock"), float32(math.Mod(time, 1000)))
	for i := range f.Wheels {
		at := mgl64.Vec3(f.Wheels[i].Pos).Add(mgl64.Vec3(f.Vel).Mul(p.age))
		at[2] -= r.world.scene.WheelRadius
		r.wheels[i] = [4]float32{float32(at[0]), float32(at[1]), float32(at[2]), float32(density[i])}
	}
	gl.Uniform4fv(pr.uniform("wheels"), 4, &r.wheels[0][0])
	r.falling.puffs.drawSpan(scene.Span{Count: 6 * 4 * details[r.quality].puffs})
}

// useAirProgram makes a program of what flies through the air current.
func (r *renderer) useAirProgram(pr *program, p *picture, view mgl64.Mat4) {
	pr.use()
	pr.matrix("viewProj", view)
	pr.vector("eye", p.eye.Pos)
	tone := r.light.Air(r.rain).Mul(1.08)
	gl.Uniform3f(pr.uniform("tone"), tone[0], tone[1], tone[2])
}
