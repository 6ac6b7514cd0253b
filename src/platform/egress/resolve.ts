import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a host name; rejects or gives none if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Asks DNS itself rather than the operating system: names of the internal network in /etc/hosts stay out of reach,
 * and a slow answer occupies no thread that files and passwords need.
 */
export function publicDns(servers?: string[]): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** As any other program on this machine would. For development. */
export const systemDns: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)
