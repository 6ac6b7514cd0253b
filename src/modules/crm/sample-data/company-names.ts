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

/** Returns another name for every index below 420. */
export function companyNameAt(index: number): CompanyName {
  const word = firstWords[index % firstWords.length]!
  const { industry, noun } = industries[(index * 3 + Math.floor(index / firstWords.length)) % industries.length]!
  const label = index < firstWords.length ? word : `${word}-${noun}`
  return { name: `${word} ${noun}`, industry, domain: `${label}.example`.toLowerCase() }
}
