import { spawn } from 'node:child_process'

/** Returns requests per second of a client in a separate process with 16 connections. */
export const measureHttpRate = async (url: string, headers: Record<string, string>, seconds: number) =>
  (await sendRequests(url, headers, seconds)).average

export async function sendRequests(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<{ average: number; total: number }> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const child = spawn('autocannon', ['-j', '-c', '16', '-d', String(seconds), ...flags, url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { requests, non2xx, errors } = JSON.parse(Buffer.concat(await child.stdout.toArray()).toString())
  if (non2xx || errors) throw new Error(`${non2xx} non-2xx responses and ${errors} errors`)
  return requests
}
