import { spawn } from 'node:child_process'

/** Requests per second as a client in a process of its own gets them, 16 at a time. */
export async function loadOn(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const child = spawn('autocannon', ['-j', '-c', '16', '-d', String(seconds), ...flags, url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { requests, non2xx, errors } = JSON.parse(Buffer.concat(await child.stdout.toArray()).toString())
  if (non2xx || errors) throw new Error(`${non2xx} refused and ${errors} failed requests`)
  return requests.average
}
