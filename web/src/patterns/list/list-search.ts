export type Filters<Filter extends string = string> = Partial<Record<Filter, string>>

/** The state of a list. It is in the URL, so that reload, Back and a copied link show the same list. */
export type ListSearch<
  Filter extends string = string,
  View extends string = string,
  Sort extends string = string,
> = Filters<Filter> & { view?: View; sort?: Sort; columns?: string; open?: string }

type SearchRules<Filter extends string, View extends string, Sort extends string, Passing extends object> = {
  /** The values that the URL accepts. `any` removes a filter of the view. */
  filters: Readonly<Record<Filter, RegExp>>
  views: Readonly<Record<View, Filters<NoInfer<Filter>>>>
  /** The first one is the order without a parameter. */
  sorts: readonly Sort[]
  /** Parameters of the open record, which are no part of a view. */
  passing?: { readonly [Key in keyof Passing]-?: readonly Passing[Key][] }
}

const maxText = 200

export function defineSearch<
  Filter extends string,
  View extends string,
  Sort extends string,
  // biome-ignore lint/complexity/noBannedTypes: no further parameters
  Passing extends object = {},
>(rules: SearchRules<Filter, View, Sort, Passing>) {
  type Search = ListSearch<Filter, View, Sort> & Partial<Passing>
  const filterKeys = Object.keys(rules.filters) as Filter[]
  const views = Object.keys(rules.views) as View[]
  const passing: Readonly<Record<string, readonly unknown[]>> = rules.passing ?? {}

  const pickFilters = (search: Filters<Filter>) =>
    Object.fromEntries(filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])))

  const filtersOf = (search: ListSearch<Filter, View, Sort>, standard: View): Filters<Filter> => {
    const all = { ...rules.views[search.view ?? standard], ...pickFilters(search) }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 'any')) as Filters<Filter>
  }
  return {
    filterKeys,
    views,
    sorts: rules.sorts,
    passing: ['open', ...Object.keys(passing)],
    filtersOf,

    /** Leaves out what the list does not know, so that a wrong link shows a list instead of an error. */
    parse(search: Readonly<Record<string, unknown>>): Search {
      const read = (key: string, pattern: RegExp) => {
        const value = String(search[key] ?? '').slice(0, maxText)
        return pattern.test(value) ? value : undefined
      }
      const all = [
        ...filterKeys.map((key) => [key, read(key, rules.filters[key])]),
        ['view', views.find((view) => view === search.view)],
        ['sort', rules.sorts.find((sort) => sort === search.sort)],
        ['columns', read('columns', /^[a-z_,]+$/)],
        ['open', read('open', /^[\da-f-]{36}$/)],
        ...Object.entries(passing).map(([key, values]) => [key, values.find((value) => value === search[key])]),
      ]
      return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Search
    },

    /** The view whose filters these are; undefined if the user has changed them. */
    viewOf: (filters: Filters<Filter>): View | undefined =>
      views.find((view) => sortedText(rules.views[view]) === sortedText(filters)),

    /** Sets or removes one filter. The URL contains only what differs from the view. */
    withFilter(search: Search, standard: View, key: Filter, value: string | undefined): Search {
      const { [key]: _, ...others } = search
      const ofView = rules.views[search.view ?? standard][key]
      return (value === ofView ? others : { ...others, [key]: value ?? 'any' }) as Search
    },

    viewPart(search: Search): Search {
      const entries = Object.entries(search).filter(([key]) => key !== 'open' && !Object.hasOwn(passing, key))
      return Object.fromEntries(entries) as Search
    },

    /** The same text for the same list, for comparing with stored views. */
    describeView(search: ListSearch<Filter, View, Sort>, standard: View): string {
      const { sort = rules.sorts[0], columns = '' } = search
      return JSON.stringify([sortedText(filtersOf(search, standard)), sort, columns])
    },
  }
}

const sortedText = (filters: object): string => JSON.stringify(Object.entries(filters).sort())

/** A search without a filter of its own, for parts that work with every list. */
export type SearchRulesOfList = {
  filterKeys: readonly string[]
  views: readonly string[]
  sorts: readonly string[]
  passing: readonly string[]
  filtersOf(search: ListSearch, standard: string): Filters
  parse(search: Readonly<Record<string, unknown>>): ListSearch
  viewOf(filters: Filters): string | undefined
  withFilter(search: ListSearch, standard: string, key: string, value: string | undefined): ListSearch
  viewPart(search: ListSearch): ListSearch
  describeView(search: ListSearch, standard: string): string
}
