import type { Browser } from 'playwright-core'

/** Returns the shares of white and of dark pixels of an image, for example of a document in its viewer. */
export async function measureBrightness(browser: Browser, png: Buffer): Promise<{ white: number; dark: number }> {
  const page = await browser.newPage()
  const measured = await page.evaluate<{ white: number; dark: number }>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    let [white, dark] = [0, 0]
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] > 250 && data[at + 1] > 250) white += 1
      if (data[at] < 100 && data[at + 1] < 100) dark += 1
    }
    const pixels = data.length / 4
    return { white: white / pixels, dark: dark / pixels }
  })()`)
  await page.close()
  return measured
}
