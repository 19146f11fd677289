import type { ComponentType } from 'react'
import { NotFound } from '@/routes/not-found'

/** The audience of a page. Visitors of a users' page are redirected to Login, users of a visitors' page to their destination. */
export type Audience = 'all' | 'users' | 'visitors'
export type LayoutName = 'main' | 'auth'

/** A visit to a page: the parameters of its address, and the user. */
export interface Visit {
  params: Readonly<Record<string, string | undefined>>
  search: URLSearchParams
  /** Empty for a visitor. */
  email: string
}

/**
 * A page's declaration. Routes, guards, loaders, prefetching and titles derive from it, and, through the build's
 * manifest, status, title and first HTML on the server.
 */
export interface Page {
  /** Also the name of its file in src/routes. */
  name: string
  /** In React Router's syntax; case-sensitive. */
  path: string
  /** Fields in braces are filled in; a part between ' | ' with an unknown field is left out. */
  title: () => string
  audience: Audience
  layout: LayoutName
  /** For other users the page does not exist, and for visitors no page of operators does. */
  only?: 'moderators' | 'operators'
  /** Where the hall is off: the page is for users only, or leads them to their circles. */
  withoutHall?: 'users' | 'circles'
  /** The page reads or changes data: page-queries.ts names its queries. */
  hasData?: true
  /** Fetches the page's code. */
  load: () => Promise<{ Component: ComponentType }>
}

/** An alternative spelling of a path. */
export interface Redirect {
  path: string
  redirectTo: string
}

export const pages: readonly Page[] = [
  {
    name: 'home',
    path: '/',
    title: () => 'home',
    audience: 'all',
    layout: 'main',
    load: () => import('@/routes/home'),
  },
  {
    name: 'assignments',
    path: '/assignments',
    title: () => 'Assignments',
    audience: 'all',
    withoutHall: 'circles',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/assignments'),
  },
  {
    name: 'assignment',
    path: '/assignment/:id',
    title: () => '{assignment.title} | Assignment Details',
    audience: 'all',
    withoutHall: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/assignment'),
  },
  {
    name: 'update-assignment',
    path: '/assignment/update/:id',
    title: () => 'Update Assignment | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/update-assignment'),
  },
  {
    name: 'create-assignment',
    path: '/create-assignment',
    title: () => 'Create Assignment | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/create-assignment'),
  },
  {
    name: 'pending-assignments',
    path: '/pending-assignments',
    title: () => 'Pending Assignments | {brand}',
    audience: 'users',
    withoutHall: 'circles',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/pending-assignments'),
  },
  {
    name: 'my-submissions',
    // The specification's spelling.
    path: '/attemded-assignments',
    title: () => 'My Submitted Assignments | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/my-submissions'),
  },
  {
    name: 'mark',
    path: '/submission/:id/mark',
    title: () => 'How was my mark made? | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/mark'),
  },
  {
    name: 'reviews',
    path: '/reviews',
    title: () => 'What You Reviewed | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/reviews'),
  },
  {
    name: 'dashboard',
    path: '/dashboard',
    title: () => 'Dashboard | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/dashboard'),
  },
  {
    name: 'profile',
    path: '/profile',
    title: () => 'Profile | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/profile'),
  },
  {
    name: 'moderation',
    path: '/moderation',
    title: () => 'Moderation | {brand}',
    audience: 'users',
    only: 'moderators',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/moderation'),
  },
  {
    name: 'admin',
    path: '/admin',
    title: () => 'Server | {brand}',
    // Visitors are not led to the login.
    audience: 'all',
    only: 'operators',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/admin'),
  },
  {
    name: 'notifications',
    path: '/notifications',
    title: () => 'Notifications | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/notifications'),
  },
  {
    name: 'unsubscribe',
    path: '/unsubscribe/:id',
    title: () => 'Unsubscribe | {brand}',
    audience: 'all',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/unsubscribe'),
  },
  {
    name: 'circles',
    path: '/circles',
    title: () => 'Circles | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/circles'),
  },
  {
    name: 'circle',
    path: '/circle/:id',
    title: () => '{circle.name} | Circle | {brand}',
    audience: 'users',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/circle'),
  },
  {
    name: 'join',
    path: '/join',
    title: () => 'Join a circle | {brand}',
    audience: 'all',
    layout: 'main',
    hasData: true,
    load: () => import('@/routes/join'),
  },
  {
    name: 'about',
    path: '/about-Us',
    title: () => 'About Us | {brand}',
    audience: 'all',
    withoutHall: 'users',
    layout: 'main',
    load: () => import('@/routes/about'),
  },
  {
    name: 'lab',
    path: '/lab',
    title: () => 'Grade lab | {brand}',
    audience: 'all',
    withoutHall: 'users',
    layout: 'main',
    load: () => import('@/routes/lab'),
  },
  {
    name: 'login',
    path: '/auth/login',
    title: () => 'Login | {brand}',
    audience: 'visitors',
    layout: 'auth',
    load: () => import('@/routes/login'),
  },
  {
    name: 'register',
    path: '/auth/register',
    title: () => 'Register | {brand}',
    audience: 'visitors',
    layout: 'auth',
    load: () => import('@/routes/register'),
  },
  {
    name: 'forgot',
    path: '/auth/forgot',
    title: () => 'Forgot password | {brand}',
    audience: 'all',
    layout: 'auth',
    load: () => import('@/routes/forgot'),
  },
  {
    name: 'reset',
    path: '/auth/reset',
    title: () => 'New password | {brand}',
    audience: 'all',
    layout: 'auth',
    load: () => import('@/routes/reset'),
  },
  {
    name: 'verify',
    path: '/auth/verify',
    title: () => 'Confirm your email address | {brand}',
    audience: 'all',
    layout: 'auth',
    load: () => import('@/routes/verify'),
  },
  {
    name: 'undo',
    path: '/auth/undo',
    title: () => 'Undo the change of your email address | {brand}',
    audience: 'all',
    layout: 'auth',
    load: () => import('@/routes/undo'),
  },
  {
    name: 'not-found',
    path: '*',
    title: () => 'Error !Page not found',
    audience: 'all',
    layout: 'main',
    load: () => Promise.resolve({ Component: NotFound }),
  },
]

export const redirects: readonly Redirect[] = [
  { path: '/attempted-assignments', redirectTo: '/attemded-assignments' },
  { path: '/about-us', redirectTo: '/about-Us' },
  { path: '/auth', redirectTo: '/auth/login' },
]
