import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The pages read their parts of the URL themselves, so that what it means is not loaded before. */
export const segmentRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/segments',
    component: lazyRouteComponent(() => import('./list/segments-page.tsx'), 'SegmentsPage'),
  })
  const creation = createRoute({
    getParentRoute: () => root,
    path: '/segments/new',
    component: lazyRouteComponent(() => import('./create/new-segment-page.tsx'), 'NewSegmentPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/segments/$segmentId',
    component: lazyRouteComponent(() => import('./record/segment-page.tsx'), 'SegmentPage'),
  })
  return [list, creation, record] as const
}
