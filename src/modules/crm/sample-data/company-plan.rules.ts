import { sampleEnterpriseSellers, sampleMidMarketSellers } from '#modules/identity'
import { daysLater, secondsLater } from '#platform/clock'
import type { Random } from '#platform/module'
import { type createPeople, type Person, type Place, pickPlace, pickStreet, toPhone } from './people.ts'

const firstWords =
  `Alderbrook Birchwood Brightwater Cedarline Clearview Copperfield Crestline Eastgate Elmwood Fernhill Granite
  Greenfield Harborview Highfield Ironbridge Juniper Kestrel Lakeside Larkspur Maplewood Meridian Millbrook Northgate Oakhurst
  Orchard Pinecrest Quarrystone Redwood Riverbend Rosewood Sandstone Silverlake Stonebridge Summit Sycamore Thornfield Valecrest
  Westbrook Willowbank Windmill Yarrow Zephyr`.split(/\s+/)

const industries = [
  { industry: 'Logistics', noun: 'Logistics' },
  { industry: 'Manufacturing', noun: 'Components' },
  { industry: 'Financial services', noun: 'Capital' },
  { industry: 'Healthcare', noun: 'Clinics' },
  { industry: 'Retail', noun: 'Stores' },
  { industry: 'Software', noun: 'Systems' },
  { industry: 'Energy', noun: 'Energy' },
  { industry: 'Education', noun: 'Academy' },
  { industry: 'Construction', noun: 'Construction' },
  { industry: 'Professional services', noun: 'Consulting' },
] as const

export type CompanyName = { name: string; industry: string; domain: string }

export function companyNameAt(index: number): CompanyName {
  const word = firstWords[index % firstWords.length]!
  const { industry, noun } = industries[(index * 3 + Math.floor(index / firstWords.length)) % industries.length]!
  const label = index < firstWords.length ? word : `${word}-${noun}`
  return { name: `${word} ${noun}`, industry, domain: `${label}.example`.toLowerCase() }
}

export type PlannedCompany = {
  key: string
  name: string
  domain: string
  industry: string
  place: Place
  phone: string
  street: string
  employees: number
  revenue: number
  owner: string
  type: 'prospect' | 'partner'
  createdAt: Date
}

export type PlannedContact = {
  key: string
  person: Person
  phone: string | null
  company: PlannedCompany
  source: string
  createdAt: Date
}

const sizes = [
  [30, 90],
  [100, 450],
  [100, 450],
  [500, 950],
  [1_000, 4_500],
] as const

export const timeDaysBefore = (now: Date, days: number, random: Random): Date =>
  secondsLater(daysLater(now, -days), -random.integer(0, 40_000))

const pickSize = (random: Random): number => {
  const [min, max] = random.pick(sizes)
  return Math.round(random.integer(min, max) / 10) * 10
}

export function planCompanies(random: Random, now: Date, from: number, count: number): PlannedCompany[] {
  return Array.from({ length: count }, (_, offset) => {
    const index = from + offset
    const employees = pickSize(random)
    const place = pickPlace(random)
    return {
      key: `account:${index + 1}`,
      ...companyNameAt(index),
      place,
      employees,
      phone: toPhone(place, random),
      street: pickStreet(random),
      revenue: employees * random.integer(90, 260) * 1_000,
      owner: random.pick(employees >= 1_000 ? sampleEnterpriseSellers : sampleMidMarketSellers),
      type: index % 20 === 19 ? 'partner' : 'prospect',
      createdAt: timeDaysBefore(now, random.integer(310, 420), random),
    }
  })
}

type ContactPlanInput = {
  random: Random
  createPerson: ReturnType<typeof createPeople>
  accounts: readonly PlannedCompany[]
  count: number
}

export const planContacts = ({ random, createPerson, accounts, count }: ContactPlanInput): PlannedContact[] =>
  Array.from({ length: count }, (_, index) => {
    const company = accounts[index % accounts.length]!
    return {
      key: `contact:${index + 1}`,
      person: createPerson(company.domain),
      phone: random.chance(0.8) ? toPhone(company.place, random) : null,
      company,
      source: random.pick(['website', 'webinar', 'referral', 'trade_show']),
      createdAt: daysLater(company.createdAt, random.integer(0, 8)),
    }
  })
