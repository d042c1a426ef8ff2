// Renders resources/package/icon.svg into each system's formats. Run after changing the drawing and commit the results:
// node_modules/.bin/node tools/package/icons.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { launchOptions } from '../../test/support/chromium.ts'
import { root } from '../setup.mjs'

const folder = path.join(root, 'resources', 'package')
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512]
const windowsSizes = [16, 24, 32, 48, 64, 128, 256]
/** Types of an .icns file by size in pixels; each holds a PNG. */
const macTypes = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 }
/** Apple's icon grid leaves a tenth free on every side. */
const macMargin = 100 / 1024

async function draw({ svg, size, margin }) {
  const image = new Image()
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  await image.decode()
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d')
  const edge = Math.round(size * margin)
  context.drawImage(image, edge, edge, size - 2 * edge, size - 2 * edge)
  const png = await canvas.convertToBlob({ type: 'image/png' })
  const pixels = size < 128 ? [...context.getImageData(0, 0, size, size).data] : []
  return { png: [...new Uint8Array(await png.arrayBuffer())], pixels }
}

/** Bottom-up BGRA with an empty mask: the format before Windows Vista, which installers still use for small sizes. */
function bitmap(size, pixels) {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(size, 4)
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const colors = Buffer.alloc(size * size * 4)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [red, green, blue, alpha] = pixels.slice((row * size + column) * 4, (row * size + column) * 4 + 4)
      colors.set([blue, green, red, alpha], ((size - 1 - row) * size + column) * 4)
    }
  }
  return Buffer.concat([header, colors, Buffer.alloc(Math.ceil(size / 32) * 4 * size)])
}

function ico(images) {
  const bodies = images.map(({ size, png, pixels }) => (size >= 128 ? Buffer.from(png) : bitmap(size, pixels)))
  const directory = Buffer.alloc(6 + 16 * images.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(images.length, 4)
  let offset = directory.length
  images.forEach(({ size }, index) => {
    const at = 6 + 16 * index
    directory.set([size % 256, size % 256], at)
    directory.writeUInt16LE(1, at + 4)
    directory.writeUInt16LE(32, at + 6)
    directory.writeUInt32LE(bodies[index].length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += bodies[index].length
  })
  return Buffer.concat([directory, ...bodies])
}

function icns(images) {
  const parts = Object.entries(macTypes).map(([type, size]) => {
    const body = Buffer.from(images.find((image) => image.size === size).png)
    const header = Buffer.alloc(8)
    header.write(type, 0, 'latin1')
    header.writeUInt32BE(body.length + 8, 4)
    return Buffer.concat([header, body])
  })
  const header = Buffer.alloc(8)
  header.write('icns', 0, 'latin1')
  header.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 8),
    4,
  )
  return Buffer.concat([header, ...parts])
}

const svg = readFileSync(path.join(folder, 'icon.svg'), 'utf8')
const browser = await chromium.launch(await launchOptions())
const page = await browser.newPage()
const render = async (sizes, margin) => {
  const images = []
  for (const size of sizes) images.push({ size, ...(await page.evaluate(draw, { svg, size, margin })) })
  return images
}
mkdirSync(path.join(folder, 'icons'), { recursive: true })
for (const { size, png } of await render(linuxSizes, 0)) {
  writeFileSync(path.join(folder, 'icons', `${size}x${size}.png`), Buffer.from(png))
}
writeFileSync(path.join(folder, 'icon.ico'), ico(await render(windowsSizes, 0)))
writeFileSync(path.join(folder, 'icon.icns'), icns(await render([...new Set(Object.values(macTypes))], macMargin)))
await browser.close()
