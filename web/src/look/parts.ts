/** The drawings of a game: SVG files beside its rules, the same that letters and print are drawn from. They are
 * paths alone and are read as text, since the site's policy lets no string become markup. */

export type Shape = { d: string } & Record<string, string>;

export interface Part {
  width: number;
  height: number;
  shapes: Shape[];
}

export type Drawings = ((name: string) => Part) & { names: string[] };

/** All drawings of a folder by their names; asking for one that is not there is a fault of ours. */
export function readParts(files: Record<string, string>): Drawings {
  const parts = new Map(Object.entries(files).map(([path, text]) => [path.replace(/^.*\/|\.svg$/g, ""), readPart(text)]));
  const drawing = (name: string) => {
    const found = parts.get(name);
    if (found === undefined) throw new Error(`no drawing ${name}`);
    return found;
  };
  return Object.assign(drawing, { names: [...parts.keys()].sort() });
}

export function readPart(text: string): Part {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(text) ?? [];
  const shapes = [...text.matchAll(/<path([^>]+)\/>/g)].map(
    ([, written]) => Object.fromEntries([...(written ?? "").matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])) as Shape,
  );
  return { width: Number(width), height: Number(height), shapes };
}

const made = new WeakMap<Part, DocumentFragment>();

/** Its paths, to be put on the page: made once and copied, since a board has hundreds of them. */
export function copyOf(part: Part): Node {
  let paths = made.get(part);
  if (paths === undefined) {
    paths = document.createDocumentFragment();
    for (const shape of part.shapes) {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      for (const [name, value] of Object.entries(shape)) path.setAttribute(name, value);
      paths.append(path);
    }
    made.set(part, paths);
  }
  return paths.cloneNode(true);
}

/** A colour or number as it is on paper: what stands behind the name of the theme's. */
function onPaper(value: string | undefined): string | undefined {
  return value?.replace(/^var\(--[\w-]+, (.+)\)$/, "$1");
}

/** The drawing on a canvas, in its own measure. */
export function paintPart(pen: CanvasRenderingContext2D, part: Part): void {
  for (const shape of part.shapes) {
    const path = new Path2D(shape.d);
    const [fill, stroke] = [onPaper(shape["fill"]), onPaper(shape["stroke"])];
    pen.save();
    pen.lineCap = (shape["stroke-linecap"] as CanvasLineCap | undefined) ?? "butt";
    pen.lineJoin = (shape["stroke-linejoin"] as CanvasLineJoin | undefined) ?? "miter";
    if (fill !== undefined && fill !== "none") {
      pen.globalAlpha = Number(onPaper(shape["fill-opacity"]) ?? 1);
      pen.fillStyle = fill;
      pen.fill(path);
    }
    if (stroke !== undefined) {
      pen.globalAlpha = Number(onPaper(shape["stroke-opacity"]) ?? 1);
      pen.strokeStyle = stroke;
      pen.lineWidth = Number(shape["stroke-width"] ?? 1);
      pen.stroke(path);
    }
    pen.restore();
  }
}
