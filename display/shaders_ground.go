//go:build cgo

package display

// The shaders of road and ground. Those with shaderPatterns before them draw all surfaces, those with shaderWater asphalt
// on which water stands; the others dry asphalt and grass, which most of a picture shows, and which get wet in rain.
const (
	shaderWater    = "#define WATER\n"
	shaderPatterns = "#define PATTERNS\n" + shaderWater
)

// shaderMirror is shared by the vertex shaders of the ground: the sky that a film of water mirrors.
const shaderMirror = `
#if RAIN || defined(WATER)
out vec4 mirror; // color, and Fresnel's share of the light for water
#if RAIN
uniform float overcast;
#else
const float overcast = 0.0;
#endif
vec4 mirrorAt(vec3 p) {
	float down = max(eye.z - p.z, 0.0) / max(distance(p, eye), 0.01), graze = 1.0 - down;
	vec3 sky = mix(HAZE, ZENITH, pow(min(down / 0.6, 1.0), 0.55));
	return vec4(mix(sky, CLOUD, overcast) * 0.92, 0.02 + 0.98 * graze * graze * graze * graze);
}
#endif
`

// roadVertexShader is linked with each of the fragment shaders of the road.
const roadVertexShader = shaderAir + shaderSwell + shaderMirror + `
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 along; // lateral, station, left, right
layout(location = 2) in vec4 more;  // kerb, verge, row, light
layout(location = 3) in vec4 tint;
uniform mat4 viewProj;
out vec2 at;
out vec3 look;
out vec4 place, side;
#if RAIN || defined(WATER)
out float wet;
#endif
void main() {
	air = airTo(pos);
	swell = swellAt(pos.xy);
	at = pos.xy;
	place = along;
	side = more;
	look = tint.rgb;
	side.w *= DAYLIGHT;
#if RAIN || defined(WATER)
	wet = tint.a / 128.0;
	mirror = mirrorAt(pos);
#endif
	gl_Position = viewProj * vec4(pos, 1.0);
}`

// roadFragmentShader draws asphalt, marksFragmentShader road of other or several materials or with lines across it,
// sideFragmentShader verges.
const (
	roadFragmentShader = shaderHaze + shaderLamps + shaderGround + shaderRoad + shaderLanes + `
		in vec3 look;
#if RAIN || defined(WATER)
		in float wet;
#endif
		void main() {
			vec3 c = lanes(bare(look, at));
#if RAIN || defined(WATER)
			c = soaked(c, wet, 1.0, broad(at * 0.045));
#endif
			color = vec4(inAir(c * lightOn(at) * side.w), 1.0);
		}`
	kerbFragmentShader  = shaderHaze + shaderLamps + shaderGround + shaderRoad + shaderKerb
	marksFragmentShader = shaderPatterns + shaderHaze + shaderLamps + shaderGround + shaderSurfaces + shaderRoad + shaderLanes + shaderMarks
	sideFragmentShader  = shaderPatterns + shaderHaze + shaderLamps + shaderGround + shaderSurfaces + shaderRoad + shaderSide
)

// shaderRoad is shared by the three fragment shaders of the road. It declares their inputs and the texture of the
// materials.
const shaderRoad = `
in vec2 at;
in vec4 place, side;
uniform sampler2D paints;
uniform float start, lap;
out vec4 color;
const float verges = VERGES / PAINTS, texel = 0.5 / PAINTS;
#ifdef PATTERNS
// surfaceAt returns the material at a place of the texture. Color and wetness are interpolated, the pattern is not.
vec4 surfaceAt(float u, out float kind) {
	vec4 paint = texture(paints, vec2(u, side.z));
	ivec2 size = textureSize(paints, 0);
	ivec2 cell = ivec2(min(int(u * float(size.x)), size.x - 1), min(int(fract(side.z) * float(size.y)), size.y - 1));
	kind = mod(floor(texelFetch(paints, cell, 0).a * 255.0 + 0.5), 64.0);
	paint.a = clamp(paint.a * 255.0 / 128.0 * 1.02 - 0.05, 0.0, 1.0);
	return paint;
}
#endif
`

// shaderLanes paints the edge and center lines, and darkens where most cars drive.
const shaderLanes = `
vec3 lanes(vec3 c) {
	float lateral = place.x, station = place.y;
	vec2 px = max(fwidth(place.xy), vec2(1e-4));
	float lane = lateral > 0.0 ? lateral / place.z : -lateral / place.w;
	c *= 1.0 - 0.13 * smoothstep(0.30, 0.0, abs(lane - 0.42));
#if NOISE > 1
	c *= repaired(lateral, station, px);
#endif
	float edge = lateral > 0.0 ? place.z - lateral : place.w + lateral;
	float white = stripe(edge - 0.20, 0.09, px.x);
	float dash = clamp((1.5 - abs(mod(station, 9.0) - 4.5)) / px.y + 0.5, 0.0, 1.0);
	white = max(white, stripe(lateral, 0.075, px.x) * mix(dash, 0.33, clamp(px.y / 4.0 - 0.5, 0.0, 1.0)));
	return mix(c, vec3(0.93), white * 0.92);
}
`

// shaderMarks draws road of all materials, the sector lines and the start line.
const shaderMarks = `
uniform vec4 sectors[2]; // stations
float nearest(vec4 off) {
	off = abs(off);
	return min(min(off.x, off.y), min(off.z, off.w));
}
void main() {
	float lateral = place.x, station = place.y, px = max(fwidth(station), 1e-4), kind;
	float u = verges + clamp((place.z - lateral) / (place.z + place.w) * (1.0 - 2.0 * verges), texel, 1.0 - 2.0 * verges - texel);
	vec4 paint = surfaceAt(u, kind);
	vec3 c = lanes(patterned(paint.rgb, kind, at, place.xy));
	float sector = min(nearest(station - sectors[0]), nearest(station - sectors[1]));
	c = mix(c, vec3(0.95, 0.80, 0.10), stripe(sector, 0.25, px) * 0.9);
	float grid = stripe(mod(station - start + 0.5 * lap, lap) - 0.5 * lap - 1.0, 1.0, px);
	vec2 cell = floor(vec2(lateral, station - start) * 2.0);
	c = mix(c, vec3(0.92) * mod(cell.x + cell.y, 2.0) + 0.04, grid);
	c = soakedSurface(c, kind, paint.a, at);
	color = vec4(inAir(c * lightOn(at) * side.w), 1.0);
}`

// shaderKerb draws red and white blocks along the road, with a joint between them and a bevel towards the road.
const shaderKerb = `
void main() {
	float lateral = place.x, station = place.y, px = max(fwidth(station), 1e-4);
	float outside = lateral > 0.0 ? lateral - place.z : -lateral - place.w; // distance from the road's edge [m]
	float wave = sin(station * 3.14159265 / 1.2), far = clamp(px / 1.2 - 0.4, 0.0, 1.0);
	float red = clamp(wave / (3.14159265 / 1.2 * px) + 0.5, 0.0, 1.0);
	vec3 c = mix(vec3(0.90), vec3(0.78, 0.10, 0.08), mix(red, 0.5, far));
	float joint = stripe(mod(station + 0.6, 1.2) - 0.6, 0.02, px) * (1.0 - far);
	c *= (1.0 - 0.5 * joint) * mix(0.80, 1.08, smoothstep(0.0, 0.5, outside / max(side.x, 0.01))) * (0.86 + 0.28 * fine(at * 0.31));
#if RAIN
	c = soaked(c, 0.0, 0.35, broad(at * 0.045));
#endif
	color = vec4(inAir(c * lightOn(at) * side.w), 1.0);
}`

// shaderSide draws verges and the lines of the pit lane.
const shaderSide = `
uniform vec4 pit; // from, to, right, left
void main() {
	float lateral = place.x, station = place.y, kind;
	vec2 px = max(fwidth(place.xy), vec2(1e-4));
	float outside = lateral > 0.0 ? lateral - place.z : -lateral - place.w; // distance from the road's edge [m]
	float u = clamp(verges * (1.0 - outside / max(side.y, 0.01)), texel, verges - texel);
	vec4 paint = surfaceAt(lateral > 0.0 ? u : 1.0 - u, kind);
	vec3 c = patterned(paint.rgb, kind, at, place.xy);
	if (mod(station - pit.x, lap) < mod(pit.y - pit.x, lap)) {
		c = mix(c, vec3(0.93), 0.9 * max(stripe(lateral - pit.z, 0.08, px.x), stripe(lateral - pit.w, 0.08, px.x)));
	}
	c = soakedSurface(c, kind, paint.a, at);
	color = vec4(inAir(c * lightOn(at) * side.w), 1.0);
}`

// shaderSwell is shared by the vertex shaders of the ground: a slow change of its brightness, 0..1, in place of a texture.
const shaderSwell = `
#define DAYLIGHT 0.97
out float swell;
float swellAt(vec2 at) {
	return 0.5 + 0.13 * sin(at.x * 0.11 + 1.3 * sin(at.y * 0.043)) + 0.13 * sin(at.y * 0.09 + 1.7 * sin(at.x * 0.037));
}
`

// shaderGround colors asphalt and mown grass, and makes them wet. The two levels of their noise come from a texture as far
// as the quality allows. Its smaller images fade the grain with distance.
const shaderGround = `
uniform sampler2D clouds;
in float swell;
#if NOISE > 0
float fine(vec2 at) { return texture(clouds, at).r; }
#else
float fine(vec2 at) { return 0.5; }
#endif
#if NOISE > 1 || NOISE > 0 && (RAIN && !defined(MEADOW) || defined(WATER))
float broad(vec2 at) { return texture(clouds, at).r; }
#else
float broad(vec2 at) { return swell; }
#endif
// stripe returns the share of a pixel of size px that a stripe around 0 covers.
float stripe(float off, float halfWidth, float px) {
	return clamp((halfWidth - abs(off)) / px + 0.5, 0.0, 1.0) * min(1.0, 2.0 * halfWidth / px);
}
float hash(vec2 cell) { return fract(sin(dot(mod(cell, 289.0), vec2(12.9898, 78.233))) * 43758.547); }
#if NOISE > 1
// repaired returns the brightness of asphalt with patches of another age, each with a seam of tar.
float repaired(float lateral, float station, vec2 px) {
	vec2 cell = vec2(floor(station / 23.0), step(0.0, lateral));
	float chance = hash(cell);
	vec2 off = vec2(abs(lateral), mod(station, 23.0) - 4.0 - 12.0 * hash(cell + 7.0)), size = vec2(1.1 + chance, 1.0 + 2.5 * chance);
	vec2 inside = vec2(size.x - abs(off.x - 2.0), size.y - abs(off.y));
	float rim = min(inside.x, inside.y), edge = max(px.x, px.y), here = step(0.62, chance);
	return 1.0 - here * (0.10 * clamp(rim / edge + 0.5, 0.0, 1.0) + 0.25 * stripe(rim, 0.03, edge));
}
vec3 bare(vec3 paint, vec2 at) {
	return paint * (0.56 + 0.50 * fine(at * 0.22) + 0.22 * fine(at.yx * 0.71) + 0.16 * broad(at * 0.021));
}
#else
vec3 bare(vec3 paint, vec2 at) { return paint * (0.62 + 0.60 * fine(at * 0.22) + 0.16 * swell); }
#endif
vec3 grass(vec3 paint, float fine, float broad, vec2 at) {
	float mown = step(0.5, fract((at.x + at.y) / 28.0));
	mown = mix(mown, 0.5, smoothstep(0.04, 0.27, air)); // from 120 to 500 m
	return paint * mix(vec3(0.66, 0.82, 0.70), vec3(1.35, 1.20, 1.30), broad * 0.7 + 0.15) * (0.64 + 0.68 * fine + 0.07 * mown);
}
// lightOn returns the light on ground in place of that of a dry day, which its vertices have.
#if RAIN || LAMPS
vec3 lightOn(vec2 at) {
	vec3 light = GROUND_LIGHT;
#if RAIN
	light *= 1.0 - 0.20 * overcast;
#endif
#if LAMPS
	light += vec3(1.05, 0.96, 0.78) * lampLight(at);
#endif
	return light;
}
#else
#define lightOn(at) 1.0
#endif
#if RAIN || defined(WATER)
in vec4 mirror;
#if RAIN
uniform float rain;
#else
const float rain = 0.0;
#endif
// soaked returns ground with the water that stands on it. wet is 0 for a dry material, 0.5 damp and 1 wet; rain adds to it.
// porous is how much darker the material becomes, and noise, 0..1, says where puddles are.
vec3 soaked(vec3 c, float wet, float porous, float noise) {
	float film = max(wet, min(2.0 * rain, 1.0));
	porous *= 1.0 - smoothstep(0.4, 0.8, c.g); // paint stays bright
	c *= 1.0 - 0.40 * porous * max(film - wet, 0.0);
	float pool = smoothstep(0.60, 0.72, noise + 0.12 * max(rain, wet * 0.5)) * film;
	float share = mirror.a * smoothstep(0.5, 1.0, film) * mix(0.62, 1.0, pool);
	float patchy = 1.0 - 4.0 * (film - 0.5) * (film - 0.5); // damp ground dries in patches
	c *= 1.0 + porous * (patchy * 0.55 * (smoothstep(0.42, 0.58, noise) - 0.85) - 0.35 * pool);
	return mix(c, mirror.rgb, share);
}
#endif
`

// shaderSurfaces draws all surfaces. kind is a pattern of package scene, and along the place on the road or in the world [m].
const shaderSurfaces = `
#define GRASS 1.0
#define CONCRETE 2.0
#define PAINT 3.0
#define KERB 4.0
#define RUMBLE 5.0
#define COBBLES 6.0
#define GRAVEL 7.0
#define SAND 8.0
#define EARTH 9.0
#define SNOW 10.0
#define ICE 11.0
const float fineScale[12] = float[12](0.22, 0.115, 0.31, 0.2, 0.31, 0.31, 0.4, 0.13, 0.45, 0.17, 0.1, 0.1);
const float broadScale[12] = float[12](0.045, 0.0117, 0.045, 0.045, 0.045, 0.045, 0.045, 0.045, 0.03, 0.022, 0.012, 0.018);
// joints returns the share of a pixel that joints of this width cover, one for every pitch along x.
float joints(float x, float pitch, float width, float px) {
	float share = stripe(mod(x + 0.5 * pitch, pitch) - 0.5 * pitch, 0.5 * width, px);
	return mix(share, width / pitch, clamp(2.0 * px / pitch - 0.6, 0.0, 1.0));
}
vec3 patterned(vec3 c, float kind, vec2 at, vec2 along) {
	vec2 px = max(fwidth(along), vec2(1e-4));
	float n = fine(at * fineScale[int(kind)]), b = broad(at * broadScale[int(kind)]);
	float near = clamp(1.5 - 5.0 * max(px.x, px.y), 0.0, 1.0); // that stones are larger than pixels
	if (kind < 0.5) return bare(c, at);
	if (kind == GRASS) return grass(c, n, b, at);
	if (kind == CONCRETE) {
		float tone = hash(floor(along / vec2(4.5, 5.0) + 0.5));
		return c * (0.80 + 0.30 * n + 0.10 * tone) * (1.0 - 0.5 * max(joints(along.x, 4.5, 0.05, px.x), joints(along.y, 5.0, 0.05, px.y)));
	}
	if (kind == PAINT) return c * (0.95 + 0.10 * n);
	if (kind == KERB) {
		float wave = sin(along.y * 3.14159265 / 1.2) / (2.6 * px.y);
		return mix(vec3(0.90), c, mix(clamp(wave + 0.5, 0.0, 1.0), 0.5, clamp(px.y / 1.2 - 0.4, 0.0, 1.0))) * (0.86 + 0.28 * n);
	}
	if (kind == RUMBLE) return c * (0.92 + 0.3 * n) * (1.0 - 0.62 * joints(along.y, 0.6, 0.36, px.y));
	if (kind == COBBLES) {
		float row = floor(along.x / 0.16 + 0.5);
		vec2 stone = vec2(along.x, along.y + 0.1 * mod(row, 2.0));
		float joint = max(joints(stone.x, 0.16, 0.025, px.x), joints(stone.y, 0.2, 0.03, px.y));
		float tone = mix(0.5, hash(vec2(row, floor(stone.y / 0.2 + 0.5))), near);
		return c * (0.62 + 0.30 * n + 0.46 * tone) * (1.0 - 0.65 * joint);
	}
	if (kind == GRAVEL) return c * (0.40 + 1.30 * n) * (0.92 + 0.16 * b);
	if (kind == SAND) return c * (0.90 + 0.10 * n + 0.07 * near * sin(6.2831853 * (1.6 * at.x + 1.1 * at.y) + 9.0 * b));
	if (kind == EARTH) return mix(c * 0.74, c * vec3(1.20, 1.16, 1.12), smoothstep(0.25, 0.75, b)) * (0.70 + 0.60 * n);
	if (kind == SNOW) return mix(c, vec3(0.76, 0.84, 0.97), 0.5 * smoothstep(0.42, 0.72, b)) * (0.96 + 0.06 * n);
	float crack = smoothstep(0.955, 1.0, 1.0 - abs(2.0 * b - 1.0)); // ice
	return mix(c * vec3(0.80, 0.89, 0.95), vec3(0.95, 0.98, 1.0), max(0.8 * crack, smoothstep(0.45, 0.75, n) * 0.25));
}
// soakedSurface returns a surface with the water on it, and what ice mirrors.
vec3 soakedSurface(vec3 c, float kind, float wet, vec2 at) {
	if (kind == ICE) return mix(c, mirror.rgb, 0.75 * mirror.a);
	if (kind == SNOW) return c;
	float soft = kind == GRASS || kind == SAND || kind == GRAVEL || kind == EARTH ? 1.0 : 0.0; // water seeps away
	float porous = kind == PAINT || kind == KERB ? 0.35 : 1.0;
	vec3 soaked = soaked(c, wet, porous, broad(at * 0.045));
	float cool = soft * max(wet, min(2.0 * rain, 1.0));
	return mix(soaked, c * mix(vec3(1.0), vec3(0.74, 0.80, 0.92), cool) + mirror.rgb * 0.10 * mirror.a * cool, soft);
}
`

// The ground shaders draw terrain and verges.
const groundVertexShader = shaderAir + shaderSwell + shaderMirror + `
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 tint;
layout(location = 2) in float light;
uniform mat4 viewProj;
uniform vec3 origin;
out vec2 at;
out vec4 paint;
out float sun;
#ifdef PATTERNS
flat out float kind;
#endif
void main() {
	vec3 p = pos + origin;
	air = airTo(p);
	swell = swellAt(p.xy);
	at = p.xy;
	paint = tint;
	sun = light * DAYLIGHT;
#if RAIN || defined(WATER)
	mirror = mirrorAt(p);
#endif
#ifdef PATTERNS
	kind = mod(tint.a, 64.0);
	paint.a = floor(tint.a / 64.0) * 0.5;
#endif
	gl_Position = viewProj * vec4(p, 1.0);
}`

// Most of what groundFragmentShader draws has no puddles: the slow change of its brightness is enough for the others.
const groundFragmentShader = "#define MEADOW\n" + shaderHaze + shaderLamps + shaderGround + `
in vec2 at;
in vec4 paint;
in float sun;
out vec4 color;
void main() {
	float lush = step(0.5, paint.a);
	vec2 scale = mix(vec2(0.22, 0.021), vec2(0.115, 0.0117), lush);
	float fine = fine(at * scale.x), broad = broad(at * scale.y);
	vec3 c = mix(paint.rgb * (0.62 + 0.60 * fine + 0.16 * broad), grass(paint.rgb, fine, broad, at), lush);
#if RAIN
	float film = min(2.0 * rain, 1.0) * lush;
	c = mix(soaked(c, 0.0, 1.0, broad), c * mix(vec3(1.0), vec3(0.74, 0.80, 0.92), film) + mirror.rgb * 0.10 * mirror.a * film, lush);
#endif
	color = vec4(inAir(c * lightOn(at) * sun), 1.0);
}`

const roughFragmentShader = shaderPatterns + shaderHaze + shaderLamps + shaderGround + shaderSurfaces + `
in vec2 at;
in vec4 paint;
in float sun;
flat in float kind;
out vec4 color;
void main() {
	vec3 c = soakedSurface(patterned(paint.rgb, kind, at, at), kind, paint.a, at);
	color = vec4(inAir(c * lightOn(at) * sun), 1.0);
}`
