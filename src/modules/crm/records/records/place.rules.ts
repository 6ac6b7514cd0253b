import { isTimeZone } from '#platform/calendar'
import { invalid } from '#platform/errors'

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

type Place = { country?: string | null; timezone?: string | null }

/** `path` is the JSON pointer of the object that has these fields. */
export function assertValidCountryAndTimezone({ country, timezone }: Place, path = ''): void {
  if (country && !regions.of(country))
    throw invalid('body', `${path}/country`, 'unknown', '`country` must be an ISO 3166-1 alpha-2 code, such as DE.')
  if (timezone && !isTimeZone(timezone))
    throw invalid('body', `${path}/timezone`, 'unknown', '`timezone` must be an IANA time zone, such as Europe/Berlin.')
}
