import { companyLabelOf, emailKindOf, type LookupInput, phoneCountryOf } from '#modules/crm'
import type { FoundValue } from './enrichment-provider.ts'

type RegionLocale = Intl.Locale & { getTimeZones?(): string[] | undefined }

const winterAndSummer = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]

/** Returns the time zone of a country whose clocks all show the same time. */
export function singleTimeZoneOf(country: string): string | null {
  if (!/^[A-Z]{2}$/.test(country)) return null
  const zones = (new Intl.Locale(`und-${country}`) as RegionLocale).getTimeZones?.() ?? []
  const offsets = new Set(zones.map((zone) => winterAndSummer.map((at) => offsetOf(zone, at)).join()))
  return offsets.size === 1 ? zones[0]! : null
}

const offsetOf = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value

export const offlineKey = 'offline'

/** Mailboxes of a function instead of a person. */
const roleNames = new Set(
  `abuse accounting accounts admin administrator all billing bookings bot careers compliance contact customer customers
  customerservice dev enquiries enquiry events finance hello help helpdesk hi hostmaster hr info inquiries inquiry invoice
  invoices it jobs kontakt legal mail mailer marketing media news newsletter no noreply office ops order orders partner partners
  payments postmaster press privacy purchasing recruiting reception reply reservations root sales security service services
  shop spam staff support sysadmin system team tech test training vertrieb web webmaster welcome`.split(/\s+/),
)
/** Country-code domains that are used like generic ones. */
const genericCountryDomains = new Set(['io', 'co', 'ai', 'me', 'tv', 'gg', 'fm', 'ly'])
const countryOfDomain: Readonly<Record<string, string>> = { uk: 'GB', eu: '', su: '' }
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

type Found = Record<string, FoundValue>

/** Derives values from what the record already has, without any request. */
export function deriveOffline(input: LookupInput): Found {
  const { email, phone } = input
  const kind = emailKindOf(email)
  const domain = input.domain?.toLowerCase() ?? null
  const company = domain ? deriveCompany(domain) : {}
  const person = email && kind !== 'disposable' ? derivePerson(email) : {}
  const country = deriveCountry(domain, phone)
  const zone = singleTimeZoneOf(input.country ?? (country?.value as string | undefined) ?? '')
  return {
    ...company,
    ...person,
    ...(country && { country }),
    ...(zone && { timezone: { value: zone, confidence: 0.5 } }),
  }
}

function deriveCompany(domain: string): Found {
  const company = toCompanyName(companyLabelOf(domain))
  return {
    company_domain: { value: domain, confidence: 1 },
    website: { value: `https://${domain}`, confidence: 0.9 },
    ...(company && { company: { value: company, confidence: 0.6 } }),
  }
}

const toCompanyName = (label: string | null): string =>
  (label ?? '').split(/[-_]+/).filter(Boolean).map(capitalize).join(' ')

/** Derives a name from `first.last@`; a single word or a function such as sales@ has none. */
function derivePerson(email: string): Found {
  const local = email.slice(0, email.lastIndexOf('@')).split('+')[0]!.toLowerCase()
  const words = local.split('.')
  const isName = words.length === 2 && words.every((word) => /^\p{L}{2,}(['’-]\p{L}{2,})*$/u.test(word))
  if (!isName || words.some((word) => roleNames.has(word))) return {}
  const [first, last] = words.map((word) => word.replace(/\p{L}+/gu, capitalize))
  return { first_name: { value: first, confidence: 0.7 }, last_name: { value: last, confidence: 0.7 } }
}

function deriveCountry(domain: string | null, phone: string | null): FoundValue | undefined {
  const ofPhone = phone && phoneCountryOf(phone)
  if (ofPhone) return { value: ofPhone, confidence: 0.8 }
  const suffix = domain?.split('.').at(-1) ?? ''
  if (suffix.length !== 2 || genericCountryDomains.has(suffix)) return undefined
  const country = countryOfDomain[suffix] ?? suffix.toUpperCase()
  return country && /^[A-Z]{2}$/.test(country) && regions.of(country) ? { value: country, confidence: 0.5 } : undefined
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
