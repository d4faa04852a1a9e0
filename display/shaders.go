//go:build cgo

package display

// The shaders, GLSL 3.30 core, in world axes: z is up.

// shaderAir is shared by all outdoor fragment shaders: the direction to the sun, and the haze, which hides the
// edge of the ground.
const shaderAir = `#version 330 core
const vec3 toSun = vec3(0.42, 0.36, 0.83);
const vec3 haze = vec3(0.74, 0.83, 0.91);
uniform vec3 eye;
vec3 inAir(vec3 color, vec3 at) {
	float far = distance(at, eye) / 1100.0;
	return mix(color, haze, 1.0 - exp(-far * far - 0.25 * far));
}
`

// The solid shaders draw the car, scenery and fixtures.
const solidVertexShader = `#version 330 core
layout(location = 0) in vec3 pos;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 paint;
uniform mat4 viewProj, model;
out vec3 at, facing;
out vec4 surface;
void main() {
	vec4 p = model * vec4(pos, 1.0);
	at = p.xyz;
	facing = mat3(model) * normal;
	surface = paint;
	gl_Position = viewProj * p;
}`

const solidFragmentShader = shaderAir + `
in vec3 at, facing;
in vec4 surface;
uniform float glow;
uniform float fade; // 0 opaque, 1 invisible; what fades turns blue
out vec4 color;
void main() {
	vec3 n = normalize(facing), ray = normalize(at - eye);
	float sun = max(dot(n, toSun), 0.0);
	vec3 light = mix(vec3(0.36, 0.37, 0.36), vec3(0.56, 0.62, 0.70), n.z * 0.5 + 0.5) + vec3(0.62, 0.58, 0.50) * sun;
	vec3 c = surface.rgb * (light + glow);
	float gloss = surface.a;
	if (gloss > 0.02) {
		vec3 mirror = reflect(ray, n);
		float edge = 1.0 - max(dot(-ray, n), 0.0);
		vec3 sky = mix(vec3(0.30, 0.34, 0.30), vec3(0.62, 0.77, 0.95), smoothstep(-0.05, 0.25, mirror.z));
		c = mix(c, sky, gloss * (0.06 + 0.5 * edge * edge * edge));
		c += gloss * vec3(0.8) * pow(max(dot(mirror, toSun), 0.0), 60.0);
	}
	color = vec4(mix(inAir(c, at), vec3(0.45, 0.86, 1.0) * (0.55 + 0.5 * light.g), min(2.0 * fade, 0.8)), 1.0 - fade);
}`

// roadVertexShader is linked with each of the three fragment shaders of the road.
const roadVertexShader = `#version 330 core
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 along; // lateral, station, left, right
layout(location = 2) in vec4 more;  // kerb, verge, row, light
layout(location = 3) in vec4 tint;
uniform mat4 viewProj;
out vec3 at, look;
out vec4 place, side;
void main() {
	at = pos;
	place = along;
	side = more;
	look = tint.rgb;
	gl_Position = viewProj * vec4(pos, 1.0);
}`

// roadFragmentShader draws road of a single material from edge to edge, marksFragmentShader road of
// several materials or with lines across it, sideFragmentShader kerbs and verges.
const (
	roadFragmentShader = shaderAir + shaderGround + shaderRoad + shaderLanes + `
		in vec3 look;
		void main() { color = vec4(inAir(lanes(bare(look, at)) * 0.97 * side.w, at), 1.0); }`
	marksFragmentShader = shaderAir + shaderGround + shaderRoad + shaderLanes + shaderMarks
	sideFragmentShader  = shaderAir + shaderGround + shaderRoad + shaderSide
)

// shaderRoad is shared by the three fragment shaders of the road. It declares their inputs, the texture of the
// materials, and a function for antialiased stripes.
const shaderRoad = `
in vec3 at;
in vec4 place, side;
uniform sampler2D paints;
uniform float start, lap;
out vec4 color;
// stripe returns the share of a pixel of size px that a stripe around 0 covers.
float stripe(float off, float halfWidth, float px) {
	return clamp((halfWidth - abs(off)) / px + 0.5, 0.0, 1.0) * min(1.0, 2.0 * halfWidth / px);
}
const float verges = VERGES / PAINTS, texel = 0.5 / PAINTS;
`

// shaderLanes paints the edge and center lines, and darkens the tire marks along the road.
const shaderLanes = `
vec3 lanes(vec3 c) {
	float lateral = place.x, station = place.y;
	vec2 px = max(fwidth(place.xy), vec2(1e-4));
	float lane = lateral > 0.0 ? lateral / place.z : -lateral / place.w;
	c *= 1.0 - 0.13 * smoothstep(0.30, 0.0, abs(lane - 0.42));
	float edge = lateral > 0.0 ? place.z - lateral : place.w + lateral;
	float white = stripe(edge - 0.20, 0.09, px.x);
	float dash = clamp((1.5 - abs(mod(station, 9.0) - 4.5)) / px.y + 0.5, 0.0, 1.0);
	white = max(white, stripe(lateral, 0.075, px.x) * mix(dash, 0.33, clamp(px.y / 4.0 - 0.5, 0.0, 1.0)));
	return mix(c, vec3(0.93), white * 0.92);
}
`

// shaderMarks draws road with several materials, the sector lines and the start line.
const shaderMarks = `
uniform vec4 sectors[2]; // stations
float nearest(vec4 off) {
	off = abs(off);
	return min(min(off.x, off.y), min(off.z, off.w));
}
void main() {
	float lateral = place.x, station = place.y, px = max(fwidth(station), 1e-4);
	float u = verges + clamp((place.z - lateral) / (place.z + place.w) * (1.0 - 2.0 * verges), texel, 1.0 - 2.0 * verges - texel);
	vec3 c = lanes(bare(texture(paints, vec2(u, side.z)).rgb, at));
	float sector = min(nearest(station - sectors[0]), nearest(station - sectors[1]));
	c = mix(c, vec3(0.95, 0.80, 0.10), stripe(sector, 0.25, px) * 0.9);
	float grid = stripe(mod(station - start + 0.5 * lap, lap) - 0.5 * lap - 1.0, 1.0, px);
	vec2 cell = floor(vec2(lateral, station - start) * 2.0);
	c = mix(c, vec3(0.92) * mod(cell.x + cell.y, 2.0) + 0.04, grid);
	color = vec4(inAir(c * 0.97 * side.w, at), 1.0);
}`

// shaderSide draws kerbs, verges and the lines of the pit lane.
const shaderSide = `
uniform vec4 pit; // from, to, right, left
// kerbColor alternates red and white along the road.
vec3 kerbColor(float station, float px) {
	float wave = sin(station * 3.14159265 / 1.2);
	float red = clamp(wave / max(3.14159265 / 1.2 * px, 1e-4) + 0.5, 0.0, 1.0);
	return mix(vec3(0.90), vec3(0.78, 0.10, 0.08), mix(red, 0.5, clamp(px / 1.2 - 0.4, 0.0, 1.0)));
}
void main() {
	float lateral = place.x, station = place.y;
	vec2 px = max(fwidth(place.xy), vec2(1e-4));
	float outside = lateral > 0.0 ? lateral - place.z : -lateral - place.w; // distance from the road's edge [m]
	float u = clamp(verges * (1.0 - outside / max(side.y, 0.01)), texel, verges - texel);
	vec3 c = ground(texture(paints, vec2(lateral > 0.0 ? u : 1.0 - u, side.z)), at);
	if (mod(station - pit.x, lap) < mod(pit.y - pit.x, lap)) {
		c = mix(c, vec3(0.93), 0.9 * max(stripe(lateral - pit.z, 0.08, px.x), stripe(lateral - pit.w, 0.08, px.x)));
	}
	if (outside < side.x) c = kerbColor(station, px.y);
	color = vec4(inAir(c * 0.97 * side.w, at), 1.0);
}`

// shaderGround colors the ground: mown grass where vegetation grows, bare ground elsewhere.
const shaderGround = `
uniform sampler2D clouds;
vec3 bare(vec3 paint, vec3 at) {
	return paint * (0.72 + 0.34 * texture(clouds, at.xy * 0.9).r + 0.24 * texture(clouds, at.xy * 0.021).r);
}
vec3 ground(vec4 paint, vec3 at) {
	float lush = step(0.5, paint.a);
	vec2 scale = mix(vec2(0.9, 0.021), vec2(0.23, 0.0117), lush);
	float fine = texture(clouds, at.xy * scale.x).r, broad = texture(clouds, at.xy * scale.y).r;
	float mown = step(0.5, fract((at.x + at.y) / 28.0));
	mown = mix(mown, 0.5, smoothstep(120.0, 500.0, distance(at, eye)));
	vec3 grass = mix(vec3(0.66, 0.82, 0.70), vec3(1.35, 1.20, 1.30), broad * 0.7 + 0.15) * (0.72 + 0.52 * fine + 0.07 * mown);
	return paint.rgb * mix(vec3(0.72 + 0.34 * fine + 0.24 * broad), grass, lush);
}
`

// The ground shaders draw terrain and verges.
const groundVertexShader = `#version 330 core
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 tint;
layout(location = 2) in float light;
uniform mat4 viewProj;
uniform vec3 origin;
out vec3 at;
out vec4 paint;
out float sun;
void main() {
	at = pos + origin;
	paint = tint;
	sun = light;
	gl_Position = viewProj * vec4(at, 1.0);
}`

const groundFragmentShader = shaderAir + shaderGround + `
in vec3 at;
in vec4 paint;
in float sun;
out vec4 color;
void main() { color = vec4(inAir(ground(paint, at) * sun, at), 1.0); }`

// The sky shaders draw the sky, the sun and hills at the horizon.
const skyVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
uniform vec3 ahead, right, up; // right and up as long as half the picture
out vec3 ray;
void main() {
	ray = ahead + right * pos.x + up * pos.y;
	gl_Position = vec4(pos, 1.0, 1.0);
}`

const skyFragmentShader = shaderAir + `
in vec3 ray;
out vec4 color;
void main() {
	vec3 d = normalize(ray);
	float rise = d.z / length(d.xy);
	vec3 c = mix(haze, vec3(0.25, 0.50, 0.83), pow(clamp(rise * 1.15, 0.0, 1.0), 0.55));
	float sun = max(dot(d, toSun), 0.0);
	c += vec3(1.0, 0.9, 0.7) * (0.9 * smoothstep(0.9994, 0.9998, sun) + 0.18 * pow(sun, 40.0));
	if (rise < 0.12) {
		float a = atan(d.y, d.x);
		float back = 0.050 + 0.018 * sin(a * 5.0 + 1.0) + 0.010 * sin(a * 13.0) + 0.004 * sin(a * 31.0);
		float front = 0.022 + 0.010 * sin(a * 7.0 + 4.0) + 0.006 * sin(a * 19.0 + 2.0) + 0.002 * sin(a * 57.0);
		float px = fwidth(rise);
		c = mix(c, vec3(0.60, 0.71, 0.83), smoothstep(px, -px, rise - back));
		c = mix(c, vec3(0.52, 0.64, 0.68), smoothstep(px, -px, rise - front));
		c = mix(c, haze, smoothstep(0.02, -0.002, rise));
	}
	color = vec4(c, 1.0);
}`

// The shadow shaders draw the soft shadow below the car.
const shadowVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
uniform mat4 viewProj, model;
out vec2 at;
void main() {
	at = pos;
	gl_Position = viewProj * model * vec4(pos, 0.0, 1.0);
}`

const shadowFragmentShader = `#version 330 core
in vec2 at;
out vec4 color;
void main() {
	vec2 off = max(abs(at) - vec2(0.62, 0.45), 0.0) / vec2(0.38, 0.55);
	color = vec4(0.0, 0.0, 0.02, 0.62 * (1.0 - smoothstep(0.0, 1.0, length(off))));
}`

// The overlay shaders draw the instruments.
const overlayVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 paint;
uniform vec2 size; // of the picture in layout units
out vec2 where;
out vec4 tint;
void main() {
	where = texel;
	tint = paint;
	gl_Position = vec4(pos.x / size.x * 2.0 - 1.0, 1.0 - pos.y / size.y * 2.0, 0.0, 1.0);
}`

const overlayFragmentShader = `#version 330 core
in vec2 where;
in vec4 tint;
uniform sampler2D letters;
out vec4 color;
void main() { color = vec4(tint.rgb, tint.a * texture(letters, where).r); }`
